import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { compareSnapshots } from '../../common/compareSnapshots.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type {
  FileChange,
  Omission,
  SnapshotProvider,
  SnapshotTree,
} from '../../../snapshots/common/provider.ts';
import { allOmissions } from '../../../snapshots/common/allOmissions.ts';
import { changesBetween } from '../../../snapshots/volume/compareTrees.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';
import { nativePath, nodeFiles } from '../../../platform/node/files/files.ts';
import { openSnapshotProvider } from '../../../snapshots/node/snapshotProviders.ts';
import { SystemClock } from '../../../platform/node/systemClock.ts';
import { workspaceTree } from '../../../snapshots/node/workspaceTree.ts';
import { isOwnPath } from '../branchWorkspace.ts';
import { ignoredPaths, isInRepository, type TreePlace } from '../carry/ignoredPaths.ts';

/** A branch as it is now, beside what it began with. */
export interface ChangedBranch {
  readonly base: SnapshotTree;
  readonly now: SnapshotTree;
  /** What the branch changed; nothing of ours, of git's own, or that is ignored. */
  readonly changes: readonly FileChange[];
  /** What the branch has and is in no snapshot of it: ignored, too large, unreadable. A folder stands for all in it. */
  readonly leftOut: readonly Omission[];
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
    const { wanted, ignored } = await sorted(record, base.folder, changes, signal);
    const there = ignored.filter(({ kind }) => kind !== 'deleted');
    const leftOut = there.map(({ path }): Omission => ({ path, reason: 'ignored' }));
    return { base, now, changes: wanted, leftOut, dispose: () => {} };
  }
  const own = await openSnapshotProvider(record.workspace);
  try {
    // By a snapshot, for that knows what is ignored, and costs little where there was one before.
    const name = `${record.id}-changes-${new SystemClock().nowNs()}`;
    const label = 'Changes of the branch';
    const { ref, omissions } = await own.take({ name, label, signal });
    const leftOut = await allOmissions(omissions, own, signal);
    const now = await own.open(ref);
    const changes = await compareSnapshots(base, now, signal);
    return {
      ...{ base, now },
      changes: changes.filter(
        (change) => !isOwnPath(change.path) && !isOnlyLeftOut(record, change),
      ),
      leftOut: leftOut.filter(({ path }) => !isOwnPath(path)),
      dispose: () => own.dispose(),
    };
  } catch (error) {
    own.dispose();
    throw error;
  }
}

/** It looks deleted, for it grew too large for a snapshot, say, or is ignored by now; and is there. */
function isOnlyLeftOut({ workspace }: BranchRecord, change: FileChange): boolean {
  if (change.kind !== 'deleted') return false;
  try {
    return !lstatSync(nativePath(path.join(workspace, change.path))).isDirectory();
  } catch {
    return false;
  }
}

interface SortedChanges {
  readonly wanted: readonly FileChange[];
  readonly ignored: readonly FileChange[];
}

/**
 * A copy of a whole folder has what git ignores: packages and what was built are no result. What is gone was ignored or not by
 * the rules of when it was there; so is all where the copy had to let go of a repository that is elsewhere.
 */
async function sorted(
  record: BranchRecord,
  base: string,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<SortedChanges> {
  const users = changes.filter(({ path }) => !isOwnPath(path));
  const { then, now } = bothPlaces(record, base);
  const hasRules = isInRepository(now);
  const isAskedThen = ({ kind }: FileChange) => kind === 'deleted' || !hasRules;
  const asked = (place: TreePlace, part: readonly FileChange[]) =>
    ignoredPaths(
      place,
      part.map(({ path }) => path),
      signal,
    );
  const ignored = new Set([
    ...(await asked(then, users.filter(isAskedThen))),
    ...(await asked(
      now,
      users.filter((change) => !isAskedThen(change)),
    )),
  ]);
  return {
    wanted: users.filter(({ path }) => !ignored.has(path)),
    ignored: users.filter(({ path }) => ignored.has(path)),
  };
}

/** The branch may be a folder in what was copied, and its repository above it. */
function bothPlaces(
  { destination, workspace }: BranchRecord,
  base: string,
): { then: TreePlace; now: TreePlace } {
  const now = { folder: realpathSync(workspace), top: realpathSync(destination) };
  const levels = path.relative(now.folder, now.top);
  return { then: { folder: base, top: path.join(base, levels) }, now };
}
