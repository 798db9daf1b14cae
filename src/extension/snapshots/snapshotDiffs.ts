import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import {
  invertedChanges,
  WORKSPACE_NOW,
  type FileChange,
} from '../../snapshots/common/provider.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { showInformation } from '../messages.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { snapshotUri } from './snapshotUri.ts';

/** An editor with more than this is of no use to anybody. */
const MAX_FILES = 2000;

/** One side of a comparison: a snapshot, or the files as they are now. */
export type Side = SnapshotLine | typeof WORKSPACE_NOW;

/** What is compared with what, of which session. */
export interface Comparison {
  readonly sessionId: string;
  readonly from: Side;
  readonly to: Side;
}

/** Shows what changed between two moments as one editor with all files. */
export async function showChanges(
  opened: OpenedSnapshots,
  sessionId: string,
  from: Side,
  to: Side,
): Promise<void> {
  const changes = await changesBetween(opened, sessionId, from, to);
  await showFiles(opened, { sessionId, from, to }, changes);
}

/** Shows the given changes as one editor with all files. */
export async function showFiles(
  opened: OpenedSnapshots,
  { sessionId, from, to }: Comparison,
  all: readonly FileChange[],
): Promise<void> {
  // What git keeps for itself changes with every command, and is nothing to read.
  const changes = all.filter(({ path }) => !path.split('/').includes('.git'));
  const title = titleOf(from, to);
  if (changes.length === 0) {
    void showInformation(vscode.l10n.t('No file changed: {0}', title));
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
      : snapshotUri({ sessionId, snapshotId: side.id, file: `${workspace}/${path}` });
  const resources = changes.map(({ path, kind }) => [
    uriOf(to, path),
    kind === 'added' ? undefined : uriOf(from, path),
    kind === 'deleted' ? undefined : uriOf(to, path),
  ]);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/** Closes what {@link showFiles} has shown, once it is true no more. */
export async function closeFiles({ from, to }: Comparison): Promise<void> {
  const title = titleOf(from, to);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // The editor puts the number of files behind it.
  await vscode.window.tabGroups.close(tabs.filter(({ label }) => label.startsWith(`${title} (`)));
}

async function changesBetween(
  opened: OpenedSnapshots,
  sessionId: string,
  from: Side,
  to: Side,
): Promise<readonly FileChange[]> {
  const files = await opened.files(sessionId);
  const provider = await files.provider();
  const refOf = (side: Side) => (side === WORKSPACE_NOW ? side : files.kept(side.id).ref);
  const options = {
    location: vscode.ProgressLocation.Window,
    title: vscode.l10n.t('Comparing files'),
  };
  return vscode.window.withProgress(options, async () => {
    const { signal } = new AbortController();
    if (from !== WORKSPACE_NOW) return provider.diff(refOf(from), refOf(to), signal);
    return invertedChanges(await provider.diff(refOf(to), refOf(from), signal));
  });
}

function titleOf(from: Side, to: Side): string {
  return `${nameOf(from)} ↔ ${nameOf(to)}`;
}

function nameOf(side: Side): string {
  return side === WORKSPACE_NOW ? vscode.l10n.t('workspace') : side.label;
}
