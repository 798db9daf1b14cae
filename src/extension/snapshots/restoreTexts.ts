import * as vscode from 'vscode';
import type { RestoreStep } from '../../snapshots/common/restore/restoreSteps.ts';
import type { ReplacedBy } from '../../snapshots/node/restore/restoreWorkspace.ts';

/** Title of a review: names the action that will replace files. */
export function replacedText({ action, name }: ReplacedBy): string {
  if (action === 'restore') return vscode.l10n.t('Restore to “{0}”', name);
  return action === 'apply' ? vscode.l10n.t('Apply “{0}”', name) : vscode.l10n.t('Undo: {0}', name);
}

/**
 * The consequences of a restore, shown above the list of files.
 * @param elsewhere the folder that changes, if another window shows it
 */
export function reviewDetail(steps: readonly RestoreStep[], elsewhere?: string): string {
  const deleted = steps.filter(({ kind, isFolder }) => kind === 'delete' && !isFolder).length;
  const folders = steps.filter(({ isFolder }) => isFolder);
  const changed = folders.filter(({ kind }) => kind === 'change').length;
  const empty = folders.length - changed;
  const sentences = [
    vscode.l10n.t(
      'The current files are saved first, so you can undo this. Git branches and staged changes are not changed.',
    ),
  ];
  if (deleted === 1)
    sentences.unshift(vscode.l10n.t('1 file will be deleted: it did not exist at that moment.'));
  else if (deleted > 1)
    sentences.unshift(
      vscode.l10n.t('{0} files will be deleted: they did not exist at that moment.', deleted),
    );
  if (elsewhere !== undefined) sentences.unshift(vscode.l10n.t('Changes files in {0}.', elsewhere));
  const permissions = steps.filter(({ isFolder, permissions: modes }) => !isFolder && modes).length;
  if (permissions > 0)
    sentences.push(vscode.l10n.t('Files whose permissions change: {0}', permissions));
  if (empty > 0) sentences.push(vscode.l10n.t('Empty folders created or deleted: {0}', empty));
  if (changed > 0) sentences.push(vscode.l10n.t('Folders whose permissions change: {0}', changed));
  return sentences.join(' ');
}

/** Message about what was done, with the number of files. */
export function doneText({ action, name }: ReplacedBy, done: readonly RestoreStep[]): string {
  const count = filesOf(done);
  if (action === 'apply')
    return count === 1
      ? vscode.l10n.t('Applied 1 file of “{0}”.', name)
      : vscode.l10n.t('Applied {0} files of “{1}”.', count, name);
  if (count === 0 && done.length > 0) return vscode.l10n.t('Restored the folders.');
  return count === 1
    ? vscode.l10n.t('Restored 1 file to “{0}”.', name)
    : vscode.l10n.t('Restored {0} files to “{1}”.', count, name);
}

/** Message about what was undone. */
export function undoneText({ name }: ReplacedBy, done: readonly RestoreStep[]): string {
  const count = filesOf(done);
  return count === 1
    ? vscode.l10n.t('Undone: {0}. Reverted 1 file.', name)
    : vscode.l10n.t('Undone: {0}. Reverted {1} files.', name, count);
}

function filesOf(steps: readonly RestoreStep[]): number {
  return steps.filter(({ isFolder }) => !isFolder).length;
}

export function skippedText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 file was skipped.')
    : vscode.l10n.t('{0} files were skipped.', count);
}
