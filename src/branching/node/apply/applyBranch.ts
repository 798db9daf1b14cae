import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { applyBranchSteps, type TakeBackStep } from '../../common/threeWay.ts';
import type { Omission, SnapshotTree } from '../../../snapshots/common/provider.ts';
import type { RestoreResult } from '../../../snapshots/common/restore.ts';
import type { RestoreStep } from '../../../snapshots/common/restoreSteps.ts';
import { applySteps } from '../../../snapshots/node/applySteps.ts';
import {
  appendReplaced,
  keepPresent,
  type ReplacedState,
} from '../../../snapshots/node/restoreWorkspace.ts';
import { isSamePlace } from '../../../snapshots/node/workspacePlace.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { changesOfBranch, type ChangedBranch } from './branchChanges.ts';
import { checkTakeable } from '../branchWorkspace.ts';
import { mergeFile, type MergedFile } from './mergeFile.ts';
import { unmergedFiles } from './unmergedFiles.ts';

/** What taking a branch's result back would do to the workspace that it came from. */
export interface ApplyPlan {
  readonly steps: readonly TakeBackStep[];
  /** The workspace as it is, kept: what follows can be undone. */
  readonly before: ReplacedState;
  /** What the branch made and does not come back, for no snapshot can hold it. */
  readonly untaken: readonly Omission[];
  readonly branch: ChangedBranch;
  readonly merged: ReadonlyMap<string, MergedFile>;
}

/**
 * Looks, and changes nothing. Dispose of `branch` when done.
 * @param files opened where the branch comes from now; see `movedWorkspace`
 */
export async function planApply(
  files: SessionFiles,
  record: BranchRecord,
  signal: AbortSignal,
): Promise<ApplyPlan> {
  if (record.kind === 'in-place') {
    throw new UserError(
      'in-place',
      'This branch works in the original folder: its result is there.',
    );
  }
  checkTakeable(record);
  if (!(await isSamePlace(files.workspace, record.from.workspace))) {
    throw new UserError(
      'other-workspace',
      `“${record.name}” comes from ${record.from.workspace}, and not from ${files.workspace}.`,
    );
  }
  const provider = await files.provider();
  const branch = await changesOfBranch(record, provider, signal);
  try {
    const before = await keepPresent(files, `taking back “${record.name}”`, signal);
    const ours = await provider.diff(record.from.snapshotRef, before.ref, signal);
    const sides = { base: branch.base, ours: await provider.open(before.ref), theirs: branch.now };
    const merged = new Map<string, MergedFile>();
    const steps = await applyBranchSteps(branch.changes, ours, async (file) => {
      const result = await mergeFile(file, { ...sides, signal });
      if (result === 'same' || result === 'conflict') return result;
      merged.set(file, result);
      return 'merge';
    });
    const untaken = await unmergedFiles(record, branch.leftOut, signal);
    return { steps, before, untaken, branch, merged };
  } catch (error) {
    branch.dispose();
    throw error;
  }
}

/** Does what was planned. What conflicts, or changed since, is left alone and named. */
export async function applyBranch(
  files: SessionFiles,
  { steps, before, branch, merged }: ApplyPlan,
  options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<RestoreResult> {
  const provider = await files.provider();
  await appendReplaced(files, before);
  return applySteps(steps.filter(({ how }) => how !== 'conflict').map(asRestoreStep), {
    ...{ workspace: files.workspace, ...options },
    present: await provider.open(before.ref),
    target: withMerged(branch.now, merged),
  });
}

function asRestoreStep({ path: file, change }: TakeBackStep): RestoreStep {
  const kinds = { added: 'create', modified: 'change', deleted: 'delete' } as const;
  return { path: file, kind: change === 'type-changed' ? 'change' : kinds[change] };
}

/** The branch's files, with what was merged in the place of some. */
function withMerged(tree: SnapshotTree, merged: ReadonlyMap<string, MergedFile>): SnapshotTree {
  return {
    // What is read there is not what was merged.
    folder: merged.size > 0 ? undefined : tree.folder,
    list: (folder) => tree.list(folder),
    omissions: () => tree.omissions(),
    mayLack: (file) => tree.mayLack(file),
    read: async (file) => merged.get(file)?.bytes ?? tree.read(file),
    stat: async (file) => {
      const found = await tree.stat(file);
      const { bytes, ...bits } = merged.get(file) ?? {};
      return { ...found, ...bits, size: bytes?.length ?? found.size };
    },
  };
}
