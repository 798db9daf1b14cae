import * as vscode from 'vscode';
import { nothingUri, REVIEW_SCHEME, reviewUri } from './reviewFileSystem.ts';
import { isApplicable, type ReviewFile } from './reviewSelection.ts';

/** VS Code's multi-file diff becomes unusable with more files. */
const MAX_FILES = 2000;

/** The parts of a review that its diffs need. */
export interface DiffedReview {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly files: readonly ReviewFile[];
}

/**
 * Opens the changes that a review can apply in one multi-file diff: the workspace now and after the
 * changes. This diff can't mark conflicts, so each conflict opens in its own diff.
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

/** The command of a row in the view: opens the diff of the row's file. */
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

/** Closes the diffs of a review that has ended: the workspace that they show may have changed. */
export async function closeDiffs(title: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isOfReview = ({ input, label }: vscode.Tab) =>
    (input instanceof vscode.TabInputTextDiff &&
      [input.original, input.modified].some(({ scheme }) => scheme === REVIEW_SCHEME)) ||
    // VS Code appends the number of files to the title.
    label.startsWith(`${title} (`);
  await vscode.window.tabGroups.close(tabs.filter(isOfReview));
}

/** Leaves out files in `.git`, which change with every git command and mean little to a reader. */
function isReadable({ path, isFolder, how }: ReviewFile): boolean {
  return !isFolder && how !== 'left-out' && !path.split('/').includes('.git');
}

function diffTitle({ path, how }: ReviewFile): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (how === 'merge') return vscode.l10n.t('{0} (now ↔ merged)', name);
  if (how === 'conflict') return vscode.l10n.t('{0} (conflict: yours ↔ branch)', name);
  return vscode.l10n.t('{0} (now ↔ after)', name);
}
