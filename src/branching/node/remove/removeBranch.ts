import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import { DeletedSessions } from '../../../sessions/node/deletedSessions.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { openSnapshotProvider } from '../../../snapshots/node/open/openProviders.ts';
import { deleteSnapshots } from '../../../snapshots/node/prune/deleteSnapshots.ts';
import { SnapshotsFile } from '../../../snapshots/node/list/snapshotsFile.ts';
import { removeBranchesFolder } from '../plan/branchesFolder.ts';
import { pathExists } from '../branchPlace.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import { removeCopiedSession } from '../memory/copiedAgentSession.ts';
import { BRANCH_FOLDER } from '../../../agents/node/continuation/ownFolder.ts';
import { keepRemoved, removeBusyFolder } from './removeBusyFolder.ts';
import { removeRestoredMemory } from './removeRestoredMemory.ts';
import { checkNotRunning, otherSessionsIn, type SessionInFolder } from './sessionsInFolder.ts';

/**
 * Removes a branch completely: its copied agent session, its folder, its own session, and all
 * snapshots of its folder. The record is removed last, so that an interrupted removal can be
 * repeated.
 * @returns warnings about what could not be removed
 * @throws UserError while a session runs in the folder, or another process makes or removes the
 * branch
 */
export async function removeBranch(
  record: BranchRecord,
  registry: BranchRegistry,
): Promise<string[]> {
  const catalogue = new Catalogue();
  const session = await catalogue.get(record.id).catch(() => undefined);
  if (session?.meta.state === 'running' && (await isAlive(session))) {
    throw new UserError(
      'session-running',
      `The branch “${record.name}” is running; stop it first: ah agent stop ${record.id}`,
      { remedy: { kind: 'stopSession', sessionId: record.id } },
    );
  }
  const isOwn = record.owner === nodeProcesses.own;
  if (record.state !== 'ready' && !isOwn && !(await registry.isLeftover(record))) {
    throw new UserError(
      'being-made',
      `Another process is creating or discarding the branch “${record.name}”. Try again later.`,
    );
  }
  const others = await otherSessionsIn(record);
  checkNotRunning(others, record.workspace);
  if (record.kind !== 'in-place') await checkAlone(record, registry);
  await registry.put({ ...record, state: 'removing', owner: nodeProcesses.own });
  const half =
    record.kind === 'in-place' && record.state === 'making' ? [halfRestored(record)] : [];
  const stayed = record.made ? await removeCopiedSession(record.made, record.workspace) : [];
  if (record.kind === 'in-place') await removeRestoredMemory(record);
  else {
    await removeSnapshots(record, others);
    await removeFolder(record);
  }
  if (session) {
    const deleted = new DeletedSessions(catalogue);
    const meta = { ...session.meta, state: 'interrupted' as const };
    await deleted.add(session.meta.state === 'running' ? { ...session, meta } : session);
    await deleted.purge(record.id);
  }
  await registry.remove(record.id);
  return [...half, ...stayed];
}

/**
 * Deletes all snapshots of the branch's folder, after marking them as removed in the sessions that
 * stay.
 */
async function removeSnapshots(
  { workspace }: BranchRecord,
  others: readonly SessionInFolder[],
): Promise<void> {
  const workspaces = new Set([workspace]);
  for (const { folder, meta, snapshots } of others) {
    if (snapshots.length === 0 || meta.workspace === undefined) continue;
    workspaces.add(meta.workspace);
    const file = await SnapshotsFile.open(folder);
    for (const line of snapshots) await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
  for (const each of workspaces) if (pathExists(each)) await deleteSnapshots(each);
}

/**
 * Warns that an interrupted in-place restore may have replaced files. It saved them first, so the
 * user can undo it.
 */
function halfRestored({ from }: BranchRecord): string {
  return `Some files in ${from.workspace} may have been restored already. To undo that: ah agent fs restore --undo --session ${from.sessionId}`;
}

/** Refuses to remove a branch that has branches of its own or contains the folder of another. */
async function checkAlone(record: BranchRecord, registry: BranchRegistry): Promise<void> {
  const others = (await registry.list()).filter(({ id }) => id !== record.id);
  const grown = others.filter(
    ({ from, destination }) =>
      from.workspace === record.workspace || isWithin(record.destination, destination),
  );
  const [first] = grown;
  if (!first) return;
  const names = grown.map(({ name }) => `“${name}”`).join(', ');
  throw new UserError(
    'has-branches',
    `Can't discard “${record.name}”: it has branches of its own. Discard ${names} first.`,
    { remedy: { kind: 'discardBranch', sessionId: first.id } },
  );
}

async function removeFolder(record: BranchRecord): Promise<void> {
  const { from, destination } = record;
  const removed = (remove: () => Promise<void>) => removeBusyFolder(destination, remove);
  if (pathExists(from.workspace)) await removed(() => removeClone(record));
  else if (await isFolderOf(record))
    await removed(() => rm(destination, { recursive: true, force: true }));
  else if (pathExists(destination)) {
    throw new UserError(
      'workspace-gone',
      `Can't remove ${destination} safely: the original folder ${from.workspace} does not exist any more. Remove it by hand.`,
    );
  }
  if (record.state === 'making') await keepRemoved(destination);
  await removeBranchesFolder(destination);
}

/** Whether `.ah/branch.json` in the folder names this branch. */
async function isFolderOf({ id, workspace }: BranchRecord): Promise<boolean> {
  const file = path.join(workspace, BRANCH_FOLDER, 'branch.json');
  const text = await readFile(file, 'utf8').catch(() => ''); // No branch, or already removed.
  return text.includes(JSON.stringify(id));
}

async function removeClone({ from, destination, provider: name }: BranchRecord): Promise<void> {
  const provider = await openSnapshotProvider(from.workspace, {
    knownAs: from.knownAs,
    keptWith: name,
  });
  try {
    await provider.removeClone(destination);
  } catch (error) {
    // The clone was never created because the process was killed, or it was already removed by
    // other means.
    const isNone = error instanceof UserError && error.code === 'not-a-clone';
    if (!isNone || pathExists(destination)) throw error;
  } finally {
    provider.dispose();
  }
}
