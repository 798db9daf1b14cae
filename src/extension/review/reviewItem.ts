import * as vscode from 'vscode';
import { plainText } from '../../base/plainText.ts';
import { COMMANDS } from '../contributions.ts';
import { diffCommand, type DiffedReview } from './reviewDiffs.ts';
import { isApplicable, type ReviewFile, type ReviewSelection } from './reviewSelection.ts';

const MAX_LABEL = 300;

/**
 * The row “Apply”. It is a row and not a button in the title bar of the view, because VS Code shows
 * those buttons only while the pointer is over the view.
 */
export function applyItem({ checked, total }: ReviewSelection): vscode.TreeItem {
  const { size } = checked;
  const text =
    total === 0
      ? vscode.l10n.t('Nothing can be applied')
      : vscode.l10n.t('Apply {0} of {1} Changes', size, total);
  const item = new vscode.TreeItem(text);
  item.iconPath = new vscode.ThemeIcon(size > 0 ? 'check' : 'circle-slash');
  if (size > 0) item.command = { command: COMMANDS.applyReview, title: text };
  return item;
}

/** A row with a check box; a click shows the diff of the file. */
export function fileItem(
  review: DiffedReview,
  file: ReviewFile,
  selection: ReviewSelection,
): vscode.TreeItem {
  const slash = file.path.lastIndexOf('/');
  const name = plainText(file.path.slice(slash + 1), MAX_LABEL);
  const folder = plainText(file.path.slice(0, Math.max(0, slash)), MAX_LABEL);
  const item = new vscode.TreeItem(file.isFolder ? `${name}/` : name);
  item.id = `${review.id}/${file.path}`;
  item.description = [stateText(file), folder].filter(Boolean).join(' · ');
  item.tooltip = `${plainText(file.path, MAX_LABEL)}\n${explanation(file)}`;
  item.iconPath = iconOf(file);
  const command = diffCommand(review, file);
  if (command) item.command = command;
  if (isApplicable(file)) {
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    item.checkboxState = selection.checked.has(file.path) ? Checked : Unchecked;
  }
  return item;
}

function stateText({ kind, how }: ReviewFile): string {
  if (how === 'conflict') return vscode.l10n.t('conflict');
  if (how === 'left-out') return vscode.l10n.t('not in snapshots');
  if (how === 'merge') return vscode.l10n.t('merged');
  if (kind === 'create') return vscode.l10n.t('new');
  return kind === 'delete' ? vscode.l10n.t('deleted') : vscode.l10n.t('changed');
}

function explanation({ kind, how, isFolder }: ReviewFile): string {
  if (how === 'conflict')
    return vscode.l10n.t(
      'You and the branch changed the same lines. The file stays as it is; copy what you need.',
    );
  if (how === 'left-out')
    return vscode.l10n.t('Snapshots can’t contain this file. Copy it from the branch.');
  if (how === 'merge')
    return vscode.l10n.t('The file will contain your changes and those of the branch.');
  if (isFolder)
    return vscode.l10n.t(
      'An empty folder is created or deleted, or the permissions of a folder change.',
    );
  if (kind === 'create') return vscode.l10n.t('The file will be created.');
  return kind === 'delete'
    ? vscode.l10n.t('The file will be deleted.')
    : vscode.l10n.t('The file will be changed.');
}

function iconOf({ kind, how }: ReviewFile): vscode.ThemeIcon {
  const icon = (name: string, color: string) =>
    new vscode.ThemeIcon(name, new vscode.ThemeColor(`gitDecoration.${color}ResourceForeground`));
  if (how === 'conflict')
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  if (how === 'left-out') return new vscode.ThemeIcon('circle-slash');
  if (how === 'merge') return icon('git-merge', 'modified');
  if (kind === 'create') return icon('diff-added', 'added');
  return kind === 'delete' ? icon('diff-removed', 'deleted') : icon('diff-modified', 'modified');
}
