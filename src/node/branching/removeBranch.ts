import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import type { FileChange } from '../../snapshots/provider.ts';
import { Catalogue, type CataloguedSession } from '../sessions/catalogue.ts';
import { DeletedSessions } from '../sessions/deletedSessions.ts';
import { isAlive } from '../sessions/liveness.ts';
import { nodeProcesses } from '../processes/processes.ts';
import { forgetSnapshots, openSnapshotProvider } from '../snapshots/snapshotProviders.ts';
import { changesOfBranch } from './branchChanges.ts';
import { removeBranchesFolder } from './branchesFolder.ts';
import { isThere } from './branchPlace.ts';
import type { BranchRegistry } from './branchRegistry.ts';
import { commitsOfBranch } from './branchCommits.ts';
import { removeMadeSession, whatAgentHas } from './madeSession.ts';
import { BRANCH_FOLDER } from './branchWorkspace.ts';

/** What is gone for good when a branch is discarded. */
export interface BranchLosses {
  /** The first line of each commit that is in the branch alone. */
  readonly commits: readonly string[];
  readonly files: readonly FileChange[];
  /** Its session, with its recording and snapshots. */
  readonly session: CataloguedSession | undefined;
  readonly isRunning: boolean;
  /** The agent's own record of its conversation in the branch, by what names it. */
  readonly agentFiles: readonly string[];
  /** Why it cannot be said what changed. */
  readonly unknown?: string;
}

export async function lossesOf(
  record: BranchRecord,
  registry: BranchRegistry,
  signal: AbortSignal,
): Promise<BranchLosses> {
  const session = await new Catalogue().get(record.id).catch(() => undefined);
  const isRunning = session?.meta.state === 'running' && (await isAlive(session));
  const agentFiles = record.made ? await whatAgentHas(record.made, record.workspace) : [];
  const nothing = { commits: [], files: [], session, isRunning, agentFiles };
  const isWhole = record.state === 'ready' && !(await registry.isLeftover(record));
  if (!isWhole || record.kind === 'in-place' || !isThere(record.workspace)) return nothing;
  try {
    const provider = await openSnapshotProvider(
      record.from.workspace,
      record.from.knownAs,
      record.provider,
    );
    try {
      const branch = await changesOfBranch(record, provider, signal);
      branch.dispose();
      const commits = await commitsOfBranch(record, signal);
      return { ...nothing, commits, files: branch.changes };
    } finally {
      provider.dispose();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...nothing, unknown: error.message };
  }
}

/**
 * Removes a branch with all that belongs to it: the agent's session that was made for it, its folder, its own session, the
 * snapshots of it, and its record last, so that what is interrupted can be gone on with.
 * @returns sentences about what had to stay
 * @throws UserError while it runs, or is being made
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
  const grown = (await registry.list()).filter(({ from }) => from.workspace === record.workspace);
  if (grown.length > 0 && record.kind !== 'in-place') {
    const names = grown.map(({ name }) => `“${name}”`).join(', ');
    throw new UserError(
      'has-branches',
      `“${record.name}” has branches of its own: remove ${names} first.`,
    );
  }
  await registry.put({ ...record, state: 'removing', owner: nodeProcesses.own });
  const stayed = record.made ? await removeMadeSession(record.made, record.workspace) : [];
  if (record.kind !== 'in-place') {
    if (isThere(record.workspace)) await forgetSnapshots(record.workspace);
    await removeFolder(record);
  }
  if (session) {
    const deleted = new DeletedSessions(catalogue);
    const meta = { ...session.meta, state: 'interrupted' as const };
    await deleted.add(session.meta.state === 'running' ? { ...session, meta } : session);
    await deleted.purge(record.id);
  }
  await registry.remove(record.id);
  return stayed;
}

async function removeFolder(record: BranchRecord): Promise<void> {
  const { from, destination } = record;
  if (isThere(from.workspace)) await removeClone(record);
  else if (await saysItIs(record)) await rm(destination, { recursive: true, force: true });
  else if (isThere(destination)) {
    throw new UserError(
      'workspace-gone',
      `${from.workspace} is not there any more, so that ${destination} cannot be removed safely. Remove it by hand.`,
    );
  }
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
