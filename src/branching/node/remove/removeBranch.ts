import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import { DeletedSessions } from '../../../sessions/node/deletedSessions.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import {
  forgetSnapshots,
  openSnapshotProvider,
} from '../../../snapshots/node/snapshotProviders.ts';
import { SnapshotsFile } from '../../../snapshots/node/snapshotsFile.ts';
import { removeBranchesFolder } from '../plan/branchesFolder.ts';
import { isThere } from '../branchPlace.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import { removeCopiedSession } from '../memory/copiedAgentSession.ts';
import { BRANCH_FOLDER } from '../branchWorkspace.ts';
import { keepAway, removeBusyFolder } from './removeBusyFolder.ts';
import { removeRestored } from './removeRestored.ts';
import { checkNoneRuns, otherSessionsIn, type SessionInFolder } from './sessionsInFolder.ts';

/**
 * Removes a branch with all that belongs to it: the agent's session that was made for it, its folder, its own session, all
 * snapshots of it, whichever session they are of, and its record last, so that what is interrupted can be gone on with.
 * @returns sentences about what had to stay
 * @throws UserError while it or another session runs there, or it is being made
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
    );
  }
  const isOwn = record.owner === nodeProcesses.own;
  if (record.state !== 'ready' && !isOwn && !(await registry.isLeftover(record))) {
    throw new UserError('being-made', `The branch “${record.name}” is being worked on right now.`);
  }
  const others = await otherSessionsIn(record);
  checkNoneRuns(others, record.workspace);
  if (record.kind !== 'in-place') await checkAlone(record, registry);
  await registry.put({ ...record, state: 'removing', owner: nodeProcesses.own });
  const half =
    record.kind === 'in-place' && record.state === 'making' ? [halfRestored(record)] : [];
  const stayed = record.made ? await removeCopiedSession(record.made, record.workspace) : [];
  if (record.kind === 'in-place') await removeRestored(record);
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

/** Each is said to be removed before it is, for a session that stays. */
async function removeSnapshots(
  { workspace }: BranchRecord,
  others: readonly SessionInFolder[],
): Promise<void> {
  const workspaces = new Set([workspace]);
  for (const { folder, meta, snapshots } of others) {
    if (snapshots.length === 0) continue;
    workspaces.add(meta.workspace!);
    const file = await SnapshotsFile.open(folder);
    for (const line of snapshots) await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
  for (const each of workspaces) if (isThere(each)) await forgetSnapshots(each);
}

/** What was there was kept before anything was changed. */
function halfRestored({ from }: BranchRecord): string {
  return `Some files in ${from.workspace} may have been put back already. To undo that: ah agent fs restore --undo --session ${from.sessionId}`;
}

/** Nothing of another branch may go with it. */
async function checkAlone(record: BranchRecord, registry: BranchRegistry): Promise<void> {
  const others = (await registry.list()).filter(({ id }) => id !== record.id);
  const grown = others.filter(
    ({ from, destination }) =>
      from.workspace === record.workspace || isWithin(record.destination, destination),
  );
  if (grown.length === 0) return;
  const names = grown.map(({ name }) => `“${name}”`).join(', ');
  throw new UserError(
    'has-branches',
    `“${record.name}” has branches of its own: remove ${names} first.`,
  );
}

async function removeFolder(record: BranchRecord): Promise<void> {
  const { from, destination } = record;
  const removed = (remove: () => Promise<void>) => removeBusyFolder(destination, remove);
  if (isThere(from.workspace)) await removed(() => removeClone(record));
  else if (await saysItIs(record))
    await removed(() => rm(destination, { recursive: true, force: true }));
  else if (isThere(destination)) {
    throw new UserError(
      'workspace-gone',
      `${from.workspace} is not there any more, so that ${destination} cannot be removed safely. Remove it by hand.`,
    );
  }
  if (record.state === 'making') await keepAway(destination);
  await removeBranchesFolder(destination);
}

/** The folder is this very branch. */
async function saysItIs({ id, workspace }: BranchRecord): Promise<boolean> {
  const text = await readFile(path.join(workspace, BRANCH_FOLDER, 'branch.json'), 'utf8').catch(
    () => '',
  );
  return text.includes(JSON.stringify(id));
}

async function removeClone({ from, destination, provider: name }: BranchRecord): Promise<void> {
  const provider = await openSnapshotProvider(from.workspace, from.knownAs, name);
  try {
    await provider.removeClone(destination);
  } catch (error) {
    // Killed before it was begun, or removed already by other means.
    const isNone = error instanceof UserError && error.code === 'not-a-clone';
    if (!isNone || isThere(destination)) throw error;
  } finally {
    provider.dispose();
  }
}
