import * as vscode from 'vscode';
import { nothingUri, REVIEW_SCHEME, reviewUri } from './reviewFileSystem.ts';
import { isApplicable, type ReviewFile } from './reviewSelection.ts';

/** VS Code's multi-file diff becomes unusable with more. */
const MAX_FILES = 2000;

/** What the diffs of a review need to know. */
export interface DiffedReview {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly files: readonly ReviewFile[];
}

/**
 * Opens the changes that a review can apply in one multi-file diff: the workspace, and the result.
 * It can't mark conflicts, so these have diffs of their own.
 */
export async function openAllDiffs({ id, title, workspace, files }: DiffedReview): Promise<void> {
  const shown = files.filter((file) => isReadable(file) && isApplicable(file));
  if (shown.length === 0 || shown.length > MAX_FILES) return;
  const resources = shown.map(({ path, kind }) => {
    const now = vscode.Uri.file(`${workspace}/${path}`);
    const after = reviewUri(id, workspace, path);
    return [now, kind === 'create' ? undefined : now, kind === 'delete' ? undefined : after];
  });
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/** The command of a row: opens the diff of its file. */
export function diffCommand(
  { id, workspace }: DiffedReview,
  file: ReviewFile,
): vscode.Command | undefined {
  if (!isReadable(file)) return undefined;
  const { path, kind } = file;
  const none = nothingUri(workspace, path);
  const now = kind === 'create' ? none : vscode.Uri.file(`${workspace}/${path}`);
  const after = kind === 'delete' ? none : reviewUri(id, workspace, path);
  const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus: true };
  return {
    command: 'vscode.diff',
    title: vscode.l10n.t('Show Changes'),
    arguments: [now, after, diffTitle(file), options],
  };
}

/** Closes the diffs of a review: the workspace that they compare with has changed. */
export async function closeDiffs(title: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isOfReview = ({ input, label }: vscode.Tab) =>
    (input instanceof vscode.TabInputTextDiff &&
      [input.original, input.modified].some(({ scheme }) => scheme === REVIEW_SCHEME)) ||
    // VS Code appends the number of files to the title.
    label.startsWith(`${title} (`);
  await vscode.window.tabGroups.close(tabs.filter(isOfReview));
}

/** Files in `.git` change with every git command and are not readable. */
function isReadable({ path, isFolder, how }: ReviewFile): boolean {
  return !isFolder && how !== 'left-out' && !path.split('/').includes('.git');
}

function diffTitle({ path, how }: ReviewFile): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (how === 'merge') return vscode.l10n.t('{0} (now ↔ merged)', name);
  if (how === 'conflict') return vscode.l10n.t('{0} (conflict: yours ↔ branch)', name);
  return vscode.l10n.t('{0} (now ↔ after)', name);
}
