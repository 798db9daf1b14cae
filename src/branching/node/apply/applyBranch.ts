import { UserError } from '../../../base/errors.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { applyBranchSteps, type ApplyStep } from '../../common/threeWay.ts';
import type { Omission, SnapshotTree } from '../../../snapshots/common/provider.ts';
import type { RestoreResult } from '../../../snapshots/common/restore/applyRestore.ts';
import type { RestoreStep } from '../../../snapshots/common/restore/restoreSteps.ts';
import { applySteps } from '../../../snapshots/node/restore/applySteps.ts';
import {
  appendReplaced,
  keepPresent,
  type ReplacedState,
} from '../../../snapshots/node/restore/restoreWorkspace.ts';
import { isSamePlace } from '../../../snapshots/node/open/workspacePlace.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { changesOfBranch, type ChangedBranch } from './branchChanges.ts';
import { checkComparable } from '../branchWorkspace.ts';
import { mergeFile, type MergedFile } from './mergeFile.ts';
import { unmergedFiles } from './unmergedFiles.ts';

/** What applying a branch would change in the original workspace. */
export interface ApplyPlan {
  readonly steps: readonly ApplyStep[];
  /** A snapshot of the workspace before the changes, for undo. */
  readonly before: ReplacedState;
  /** Files of the branch that are not applied, because snapshots can't hold them. */
  readonly unmerged: readonly Omission[];
  readonly branch: ChangedBranch;
  /** The files after all steps; files in conflict have the branch's content. */
  readonly result: SnapshotTree;
}

/**
 * Plans without changing any files. Dispose of the plan's `branch` afterwards.
 * @param files the original's snapshots, opened at its present folder; see `movedWorkspace`
 */
export async function planApply(
  files: SessionFiles,
  record: BranchRecord,
  signal: AbortSignal,
): Promise<ApplyPlan> {
  if (record.kind === 'in-place') {
    throw new UserError(
      'in-place',
      'This branch works in the original folder: its changes are there already.',
    );
  }
  checkComparable(record);
  if (!(await isSamePlace(files.workspace, record.from.workspace))) {
    throw new UserError(
      'other-workspace',
      `Can't apply “${record.name}” to ${files.workspace}: it is a branch of ${record.from.workspace}.`,
    );
  }
  const provider = await files.provider();
  const branch = await changesOfBranch(record, provider, signal);
  try {
    const before = await keepPresent(files, `applying “${record.name}”`, signal, {
      action: 'apply',
      name: record.name,
      branch: record.id,
    });
    const ours = await provider.diff(record.from.snapshotRef, before.ref, signal);
    const sides = { base: branch.base, ours: await provider.open(before.ref), theirs: branch.now };
    const merged = new Map<string, MergedFile>();
    const steps = await applyBranchSteps(branch.changes, ours, async (file) => {
      const result = await mergeFile(file, { ...sides, signal });
      if (result === 'same' || result === 'conflict') return result;
      merged.set(file, result);
      return 'merge';
    });
    const unmerged = await unmergedFiles(record, branch.leftOut, signal);
    return { steps, before, unmerged, branch, result: withMerged(branch.now, merged) };
  } catch (error) {
    branch.dispose();
    throw error;
  }
}

/** Carries out the plan. Files that conflict or have changed since are skipped and reported. */
export async function applyBranch(
  files: SessionFiles,
  { steps, before, result }: ApplyPlan,
  options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<RestoreResult> {
  const provider = await files.provider();
  await appendReplaced(files, before);
  return applySteps(steps.filter(({ how }) => how !== 'conflict').map(asRestoreStep), {
    workspace: files.workspace,
    ...options,
    present: await provider.open(before.ref),
    target: result,
  });
}

export function asRestoreStep({ path: file, change }: ApplyStep): RestoreStep {
  const kinds = { added: 'create', modified: 'change', deleted: 'delete' } as const;
  return { path: file, kind: change === 'type-changed' ? 'change' : kinds[change] };
}

/** The branch's files, with merged files in place of the branch's own versions. */
function withMerged(tree: SnapshotTree, merged: ReadonlyMap<string, MergedFile>): SnapshotTree {
  return {
    // The folder on disk does not contain the merged files.
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
