import { compareSnapshots } from '../../branching/compareSnapshots.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import type { FileChange, SnapshotProvider, SnapshotTree } from '../../snapshots/provider.ts';
import { changesBetween } from '../../snapshots/providers/volume/compareTrees.ts';
import { nodeExec } from '../processes/exec.ts';
import { nodeFiles } from '../files/files.ts';
import { openSnapshotProvider } from '../snapshots/snapshotProviders.ts';
import { SystemClock } from '../systemClock.ts';
import { workspaceTree } from '../snapshots/workspaceTree.ts';
import { isOwnPath } from './branchWorkspace.ts';

/** A branch as it is now, beside what it began with. */
export interface ChangedBranch {
  readonly base: SnapshotTree;
  readonly now: SnapshotTree;
  /** What the branch changed; nothing of ours, of git's own, or that is ignored. */
  readonly changes: readonly FileChange[];
  /** What the branch has and is in no snapshot of it, by its paths: ignored, too large, unreadable. A folder stands for all in it. */
  readonly leftOut: readonly string[];
  dispose(): void;
}

/** @param provider of the workspace that the branch came from */
export async function changesOfBranch(
  record: BranchRecord,
  provider: SnapshotProvider,
  signal: AbortSignal,
): Promise<ChangedBranch> {
  const base = await provider.open(record.from.snapshotRef);
  if (base.folder !== undefined) {
    const pair = { oldRoot: base.folder, newRoot: record.workspace, touched: undefined };
    const ports = { exec: nodeExec, files: nodeFiles };
    const changes = await changesBetween(ports, pair, signal);
    const now = workspaceTree(record.workspace);
    const { wanted, ignored } = await sorted(record, changes, signal);
    const leftOut = ignored.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
    return { base, now, changes: wanted, leftOut, dispose: () => {} };
  }
  const own = await openSnapshotProvider(record.workspace);
  try {
    // By a snapshot, for that knows what is ignored, and costs little where there was one before.
    const name = `${record.id}-changes-${new SystemClock().nowNs()}`;
    const label = 'Changes of the branch';
    const { ref, omissions } = await own.take({ name, label, signal });
    const now = await own.open(ref);
    const changes = await compareSnapshots(base, now, signal);
    return {
      ...{ base, now, changes: changes.filter(({ path }) => !isOwnPath(path)) },
      leftOut: omissions.map(({ path }) => path).filter((path) => path !== '' && !isOwnPath(path)),
      dispose: () => own.dispose(),
    };
  } catch (error) {
    own.dispose();
    throw error;
  }
}

interface SortedChanges {
  readonly wanted: readonly FileChange[];
  readonly ignored: readonly FileChange[];
}

/** A copy of a whole folder has what git ignores: packages and what was built are no result. */
async function sorted(
  { workspace }: BranchRecord,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<SortedChanges> {
  const users = changes.filter(({ path }) => !isOwnPath(path));
  if (users.length === 0) return { wanted: [], ignored: [] };
  const input = Buffer.from(users.map(({ path }) => `${path}\0`).join(''));
  const args = ['check-ignore', '-z', '--stdin'];
  const { exitCode, stdout } = await nodeExec('git', args, { cwd: workspace, input, signal });
  // 1: none is ignored; anything else: there is no repository.
  if (exitCode !== 0) return { wanted: users, ignored: [] };
  const ignored = new Set(Buffer.from(stdout).toString().split('\0'));
  return {
    wanted: users.filter(({ path }) => !ignored.has(path)),
    ignored: users.filter(({ path }) => ignored.has(path)),
  };
}
