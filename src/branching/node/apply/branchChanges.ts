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
import { openSnapshotProvider } from '../../../snapshots/node/open/openProviders.ts';
import { SystemClock } from '../../../platform/node/systemClock.ts';
import { workspaceTree } from '../../../snapshots/node/restore/workspaceTree.ts';
import { isAhOrGitPath } from '../branchWorkspace.ts';
import { ignoredPaths, isInRepository, type TreePlace } from '../carry/ignoredPaths.ts';

/** The present state of a branch, and its changes since it started. */
export interface ChangedBranch {
  readonly base: SnapshotTree;
  readonly now: SnapshotTree;
  /** Changed files, without those of AH and git, and without ignored files. */
  readonly changes: readonly FileChange[];
  /**
   * Files that snapshots leave out: ignored, too large, unreadable. An entry for a folder stands
   * for all files in the folder.
   */
  readonly leftOut: readonly Omission[];
  dispose(): void;
}

/** @param provider provider of the original workspace */
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
    const { wanted, ignored } = await separateIgnored(record, base.folder, changes, signal);
    const there = ignored.filter(({ kind }) => kind !== 'deleted');
    const leftOut = there.map(({ path }): Omission => ({ path, reason: 'ignored' }));
    return { base, now, changes: wanted, leftOut, dispose: () => {} };
  }
  const own = await openSnapshotProvider(record.workspace);
  try {
    // Taking a snapshot finds out which files are ignored, and is fast if an earlier one exists.
    const name = `${record.id}-changes-${new SystemClock().nowNs()}`;
    const label = 'Changes of the branch';
    const { ref, omissions } = await own.take({ name, label, signal });
    const leftOut = await allOmissions(omissions, own, signal);
    const now = await own.open(ref);
    const changes = await compareSnapshots(base, now, signal);
    return {
      base,
      now,
      changes: changes.filter(
        (change) => !isAhOrGitPath(change.path) && !isOnlyLeftOut(record, change),
      ),
      leftOut: leftOut.filter(({ path }) => !isAhOrGitPath(path)),
      dispose: () => own.dispose(),
    };
  } catch (error) {
    own.dispose();
    throw error;
  }
}

/** Whether a file only looks deleted: it exists, but is now left out as ignored or too large. */
function isOnlyLeftOut({ workspace }: BranchRecord, change: FileChange): boolean {
  if (change.kind !== 'deleted') return false;
  try {
    return !lstatSync(nativePath(path.join(workspace, change.path))).isDirectory();
  } catch {
    return false; // The file was deleted.
  }
}

interface SortedChanges {
  readonly wanted: readonly FileChange[];
  readonly ignored: readonly FileChange[];
}

/**
 * Separates changes of ignored files, such as packages and build output, which the copy of a whole
 * folder contains. Uses the branch's ignore rules, but the original's for deleted files, and for
 * all files when the copy has no repository.
 */
async function separateIgnored(
  record: BranchRecord,
  base: string,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<SortedChanges> {
  const users = changes.filter(({ path }) => !isAhOrGitPath(path));
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

/**
 * Where to look for repositories in the branch and in the snapshot: the workspace may be a
 * subfolder of the copy, with its repository in a folder above.
 */
function bothPlaces(
  { destination, workspace }: BranchRecord,
  base: string,
): { then: TreePlace; now: TreePlace } {
  const now = { folder: realpathSync(workspace), top: realpathSync(destination) };
  const levels = path.relative(now.folder, now.top);
  return { then: { folder: base, top: path.join(base, levels) }, now };
}
