import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { FileChange } from '../../../snapshots/common/provider.ts';
import { rarestFirst } from '../../../snapshots/common/rarestFirst.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { Catalogue, type CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { openSnapshotProvider } from '../../../snapshots/node/snapshotProviders.ts';
import { changesOfBranch } from '../apply/branchChanges.ts';
import { isThere } from '../branchPlace.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import { lostCommits } from './lostCommits.ts';
import { listCopiedSession } from '../memory/copiedAgentSession.ts';
import { otherSessionsIn, type SessionInFolder } from './sessionsInFolder.ts';

/** Larger ones are taken to differ. */
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;
/** So many are read; of what a build left beside its sources, more are told by their size and time. */
const MAX_READ = 1000;

/** What is gone for good when a branch is discarded. */
export interface BranchLosses {
  /** The first line of each commit that is in the branch alone. */
  readonly commits: readonly string[];
  readonly files: readonly FileChange[];
  /**
   * What is in no snapshot, for it is ignored or too large, and not the same as in the original; what there is least of first.
   * Folders are not compared.
   */
  readonly leftOut: readonly string[];
  /** Its session, with its recording and snapshots. */
  readonly session: CataloguedSession | undefined;
  readonly isRunning: boolean;
  /** Other sessions in its folder: they keep their recordings, and lose their snapshots. While one runs, the branch stays. */
  readonly others: readonly SessionInFolder[];
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
  const agentFiles = record.made ? await listCopiedSession(record.made, record.workspace) : [];
  const others = await otherSessionsIn(record);
  const nothing = { commits: [], files: [], leftOut: [], session, isRunning, others, agentFiles };
  const isWhole = record.state === 'ready' && !(await registry.isLeftover(record));
  if (!isWhole || record.kind === 'in-place' || !isThere(record.workspace)) return nothing;
  if (!isThere(record.from.workspace)) {
    const unknown = `${record.from.workspace}, where it comes from, is not there any more.`;
    return { ...nothing, unknown };
  }
  try {
    const provider = await openSnapshotProvider(
      record.from.workspace,
      record.from.knownAs,
      record.provider,
    );
    try {
      const branch = await changesOfBranch(record, provider, signal);
      branch.dispose();
      const commits = await lostCommits(record, signal);
      const leftOut = rarestFirst(branch.leftOut.map((each) => each.path)).filter((file, index) =>
        isOnlyIn(record, file, index < MAX_READ),
      );
      return { ...nothing, commits, files: branch.changes, leftOut };
    } finally {
      provider.dispose();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...nothing, unknown: error.message };
  }
}

/** Whether a file is not the very same in the original. A link to the original's is; a folder is not looked into. */
function isOnlyIn({ workspace, from }: BranchRecord, file: string, isRead: boolean): boolean {
  const [here, there] = [path.join(workspace, file), path.join(from.workspace, file)];
  try {
    const found = lstatSync(here);
    if (found.isSymbolicLink()) return !isWithin(from.workspace, readlinkSync(here));
    if (!found.isFile()) return true;
    const original = statSync(there);
    if (found.size !== original.size) return true;
    // What came along has the time that it had.
    if (!isRead) return found.mtimeMs !== original.mtimeMs;
    if (found.size > MAX_COMPARED_BYTES) return true;
    return !readFileSync(here).equals(readFileSync(there));
  } catch {
    return true;
  }
}
