import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { FileChange } from '../../../snapshots/common/provider.ts';
import { rarestFirst } from '../../../snapshots/common/rarestFirst.ts';
import { areEqualFiles } from '../../../platform/node/files/equalFiles.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { Catalogue, type CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { openSnapshotProvider } from '../../../snapshots/node/open/openProviders.ts';
import { changesOfBranch } from '../apply/branchChanges.ts';
import { pathExists } from '../branchPlace.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import { lostCommits } from './lostCommits.ts';
import { copiedSessionFiles } from '../memory/copiedAgentSession.ts';
import { otherSessionsIn, type SessionInFolder } from './sessionsInFolder.ts';

/** Larger files are not compared but assumed to differ, because the user waits for the answer. */
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;
/** Only this many files are compared by content; further files are compared by size and time. */
const MAX_READ = 1000;

/** What is lost for good when a branch is discarded. */
export interface BranchLosses {
  /** Abbreviated ID and subject of each commit that only the branch has. */
  readonly commits: readonly string[];
  readonly files: readonly FileChange[];
  /**
   * Ignored or too large files, which are in no snapshot, if they differ from the original's; rare
   * kinds first. Folders are not compared.
   */
  readonly leftOut: readonly string[];
  /** The branch's session, with its recording and snapshots. */
  readonly session: CataloguedSession | undefined;
  readonly isRunning: boolean;
  /**
   * Other sessions in the branch's folder. They lose their snapshots, and none of them may be
   * running.
   */
  readonly others: readonly SessionInFolder[];
  /** The agent's own record of the conversation: files, or a session in a database. */
  readonly agentFiles: readonly string[];
  /** Why the changes could not be determined. */
  readonly unknown?: string;
}

export async function findLosses(
  record: BranchRecord,
  registry: BranchRegistry,
  signal: AbortSignal,
): Promise<BranchLosses> {
  const session = await new Catalogue().get(record.id).catch(() => undefined);
  const isRunning = session?.meta.state === 'running' && (await isAlive(session));
  const agentFiles = record.made ? await copiedSessionFiles(record.made, record.workspace) : [];
  const others = await otherSessionsIn(record);
  const nothing = { commits: [], files: [], leftOut: [], session, isRunning, others, agentFiles };
  const isWhole = record.state === 'ready' && !(await registry.isLeftover(record));
  if (!isWhole || record.kind === 'in-place' || !pathExists(record.workspace)) return nothing;
  if (!pathExists(record.from.workspace)) {
    const unknown = `The original folder ${record.from.workspace} does not exist any more.`;
    return { ...nothing, unknown };
  }
  try {
    const provider = await openSnapshotProvider(record.from.workspace, {
      knownAs: record.from.knownAs,
      keptWith: record.provider,
    });
    try {
      const branch = await changesOfBranch(record, provider, signal);
      branch.dispose();
      const commits = await lostCommits(record, signal);
      const leftOut: string[] = [];
      const candidates = rarestFirst(branch.leftOut.map((each) => each.path));
      for (const [index, file] of candidates.entries()) {
        if (await isOnlyIn(record, file, index < MAX_READ)) leftOut.push(file);
      }
      return { ...nothing, commits, files: branch.changes, leftOut };
    } finally {
      provider.dispose();
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...nothing, unknown: error.message };
  }
}

/**
 * Whether a file differs from the original's. A link into the original counts as the same file;
 * folders always count as different.
 */
async function isOnlyIn(
  { workspace, from }: BranchRecord,
  file: string,
  isRead: boolean,
): Promise<boolean> {
  const [here, there] = [path.join(workspace, file), path.join(from.workspace, file)];
  try {
    const found = lstatSync(here);
    if (found.isSymbolicLink()) return !isWithin(from.workspace, readlinkSync(here));
    if (!found.isFile()) return true;
    const original = statSync(there);
    if (found.size !== original.size) return true;
    // Carrying a file preserves its modification time.
    if (!isRead) return found.mtimeMs !== original.mtimeMs;
    if (found.size > MAX_COMPARED_BYTES) return true;
    return !(await areEqualFiles(here, realpathSync(there)));
  } catch {
    return true; // The original lacks the file, or one of the files can't be read.
  }
}
