import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import {
  invertedChanges,
  WORKSPACE_NOW,
  type FileChange,
} from '../../snapshots/common/provider.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { setContextKey } from '../contextKeys.ts';
import { CONTEXT_KEYS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { snapshotUri } from './snapshotUri.ts';

/** VS Code's multi-file diff becomes unusable with more files. */
const MAX_FILES = 2000;

/** One side of a comparison: a snapshot, or the files as they are now. */
export type Side = SnapshotLine | typeof WORKSPACE_NOW;

/** A comparison of two states of a session's workspace. */
interface Comparison {
  readonly sessionId: string;
  readonly from: Side;
  readonly to: Side;
}

/** Opens the changes between two states in one multi-file diff. */
export async function showChanges(
  opened: OpenedSnapshots,
  sessionId: string,
  from: Side,
  to: Side,
): Promise<void> {
  const changes = await changesBetween(opened, sessionId, from, to);
  await showFiles(opened, { sessionId, from, to }, changes);
}

/** Opens the given changes in one multi-file diff. */
async function showFiles(
  opened: OpenedSnapshots,
  { sessionId, from, to }: Comparison,
  all: readonly FileChange[],
): Promise<void> {
  // Leave out files in `.git`, which change with every git command and mean little to a reader.
  const changes = all.filter(({ path }) => !path.split('/').includes('.git'));
  const title = titleOf(from, to);
  if (changes.length === 0) {
    void showInformation(vscode.l10n.t('No file changed: {0}', title));
    return;
  }
  if (changes.length > MAX_FILES) {
    throw new UserError(
      'too-many',
      vscode.l10n.t(
        'Can’t show {0} changed files at once. Compare snapshots that are closer in time.',
        changes.length,
      ),
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
  await setContextKey(CONTEXT_KEYS.hasOpenedSnapshot, true);
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
