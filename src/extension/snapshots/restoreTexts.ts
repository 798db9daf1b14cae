import * as vscode from 'vscode';
import type { RestoreStep } from '../../snapshots/common/restoreSteps.ts';

/** What a person is asked before files change. */
export function restoreQuestion(steps: readonly RestoreStep[], label: string): string {
  const files = steps.filter(({ isFolder }) => !isFolder).length;
  if (files === 0) return vscode.l10n.t('Restore the folders of “{0}”?', label);
  return files === 1
    ? vscode.l10n.t('Restore 1 file to “{0}”?', label)
    : vscode.l10n.t('Restore {0} files to “{1}”?', files, label);
}

/** What that means, below the question. */
export function restoreDetail(steps: readonly RestoreStep[]): string {
  const deleted = steps.filter(({ kind, isFolder }) => kind === 'delete' && !isFolder).length;
  const folders = steps.filter(({ isFolder }) => isFolder);
  const changed = folders.filter(({ kind }) => kind === 'change').length;
  const empty = folders.length - changed;
  const sentences = [
    vscode.l10n.t(
      'The present state is kept first and can be brought back. Branches and staged changes stay as they are.',
    ),
  ];
  if (deleted === 1)
    sentences.unshift(vscode.l10n.t('1 of them will be deleted, for it was not there.'));
  else if (deleted > 1)
    sentences.unshift(
      vscode.l10n.t('{0} of them will be deleted, for they were not there.', deleted),
    );
  const permissions = steps.filter(({ isFolder, permissions: modes }) => !isFolder && modes).length;
  if (permissions > 0)
    sentences.push(vscode.l10n.t('Files whose permissions change: {0}', permissions));
  if (empty > 0) sentences.push(vscode.l10n.t('Empty folders that come or go: {0}', empty));
  if (changed > 0) sentences.push(vscode.l10n.t('Folders whose permissions change: {0}', changed));
  return sentences.join('\n');
}

export function restoredText(done: readonly RestoreStep[]): string {
  const files = done.filter(({ isFolder }) => !isFolder).length;
  if (files === 0 && done.length > 0) return vscode.l10n.t('Restored the folders.');
  return files === 1
    ? vscode.l10n.t('Restored 1 file.')
    : vscode.l10n.t('Restored {0} files.', files);
}

export function leftAloneText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 file was left alone.')
    : vscode.l10n.t('{0} files were left alone.', count);
}
