import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { WORKSPACE_NOW, type FileChange } from '../../snapshots/provider.ts';
import type { SnapshotLine } from '../../snapshots/snapshotLine.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { snapshotUri } from './snapshotUri.ts';

/** An editor with more than this is of no use to anybody. */
const MAX_FILES = 2000;

/** One side of a comparison: a snapshot, or the files as they are now. */
export type Side = SnapshotLine | typeof WORKSPACE_NOW;

/** Shows what changed between two moments as one editor with all files. */
export async function showChanges(
  opened: OpenedSnapshots,
  sessionId: string,
  from: SnapshotLine,
  to: Side,
): Promise<void> {
  const changes = await changesBetween(opened, sessionId, from, to);
  const title =
    to === WORKSPACE_NOW
      ? vscode.l10n.t('{0} ↔ workspace', from.label)
      : vscode.l10n.t('{0} ↔ {1}', from.label, to.label);
  if (changes.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No file changed: {0}', title));
    return;
  }
  if (changes.length > MAX_FILES) {
    throw new UserError(
      'too-many',
      vscode.l10n.t('{0} files changed: too many to show at once.', changes.length),
    );
  }
  const { workspace } = await opened.files(sessionId);
  const uriOf = (side: Side, path: string) =>
    side === WORKSPACE_NOW
      ? vscode.Uri.joinPath(vscode.Uri.file(workspace), path)
      : snapshotUri({ sessionId, snapshotId: side.id, path });
  const resources = changes.map(({ path, kind }) => [
    uriOf(to, path),
    kind === 'added' ? undefined : uriOf(from, path),
    kind === 'deleted' ? undefined : uriOf(to, path),
  ]);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

export async function changesBetween(
  opened: OpenedSnapshots,
  sessionId: string,
  from: SnapshotLine,
  to: Side,
): Promise<readonly FileChange[]> {
  const files = await opened.files(sessionId);
  const provider = await files.provider();
  const target = to === WORKSPACE_NOW ? WORKSPACE_NOW : files.kept(to.id).ref;
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: vscode.l10n.t('Comparing files'),
    },
    () => provider.diff(files.kept(from.id).ref, target, new AbortController().signal),
  );
}
