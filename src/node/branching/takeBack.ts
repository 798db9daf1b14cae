import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import { takeBackSteps, type TakeBackStep } from '../../branching/threeWay.ts';
import type { SnapshotTree } from '../../snapshots/provider.ts';
import { applyRestore, type RestoreResult } from '../../snapshots/restore.ts';
import type { RestoreStep } from '../../snapshots/restoreSteps.ts';
import { nodeExec } from '../processes/exec.ts';
import { nodeFiles } from '../files/files.ts';
import { appendReplaced, keepPresent, type ReplacedState } from '../snapshots/restoreWorkspace.ts';
import type { SessionFiles } from '../sessions/sessionFiles.ts';
import { changesOfBranch, type ChangedBranch } from './branchChanges.ts';
import { checkBothThere } from './branchWorkspace.ts';

/** Larger files are not merged line by line. */
const MAX_MERGED_BYTES = 4 * 1024 * 1024;

/** What taking a branch's result back would do to the workspace that it came from. */
export interface TakeBack {
  readonly steps: readonly TakeBackStep[];
  /** The workspace as it is, kept: what follows can be undone. */
  readonly before: ReplacedState;
  readonly branch: ChangedBranch;
  readonly merged: ReadonlyMap<string, Uint8Array>;
}

/** Looks, and changes nothing. Dispose of `branch` when done. */
export async function planTakeBack(
  files: SessionFiles,
  record: BranchRecord,
  signal: AbortSignal,
): Promise<TakeBack> {
  if (record.kind === 'in-place') {
    throw new UserError(
      'in-place',
      'This branch works in the original folder: its result is there.',
    );
  }
  checkBothThere(record);
  const provider = await files.provider();
  const branch = await changesOfBranch(record, provider, signal);
  try {
    const before = await keepPresent(files, `taking back “${record.name}”`, signal);
    const ours = await provider.diff(record.from.snapshotRef, before.ref, signal);
    const present = await provider.open(before.ref);
    const merged = new Map<string, Uint8Array>();
    const steps = await takeBackSteps(branch.changes, ours, (file) =>
      judge(file, { ...branch, present, merged, signal }),
    );
    return { steps, before, branch, merged };
  } catch (error) {
    branch.dispose();
    throw error;
  }
}

/** Does what was planned. What conflicts, or changed since, is left alone and named. */
export async function applyTakeBack(
  files: SessionFiles,
  { steps, before, branch, merged }: TakeBack,
  options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<RestoreResult> {
  const provider = await files.provider();
  await appendReplaced(files, before);
  return applyRestore(steps.filter(({ how }) => how !== 'conflict').map(asRestoreStep), {
    ...{ workspace: files.workspace, files: nodeFiles, ...options },
    present: await provider.open(before.ref),
    target: withMerged(branch.now, merged),
  });
}

function asRestoreStep({ path: file, change }: TakeBackStep): RestoreStep {
  const kinds = { added: 'create', modified: 'change', deleted: 'delete' } as const;
  return { path: file, kind: change === 'type-changed' ? 'change' : kinds[change] };
}

interface Sides {
  readonly base: SnapshotTree;
  readonly now: SnapshotTree;
  readonly present: SnapshotTree;
  readonly merged: Map<string, Uint8Array>;
  readonly signal: AbortSignal;
}

async function judge(file: string, sides: Sides): Promise<'same' | 'merge' | 'conflict'> {
  const ours = await contentOf(sides.present, file);
  const theirs = await contentOf(sides.now, file);
  if (!ours || !theirs) return ours === theirs ? 'same' : 'conflict';
  if (ours.kind !== theirs.kind) return 'conflict';
  if (areEqual(ours.bytes, theirs.bytes)) {
    return ours.isExecutable === theirs.isExecutable ? 'same' : 'conflict';
  }
  const base = await contentOf(sides.base, file);
  const all = [ours, theirs, ...(base ? [base] : [])];
  const canMerge = all.every(
    ({ kind, bytes }) => kind === 'file' && bytes.length <= MAX_MERGED_BYTES && !bytes.includes(0),
  );
  if (!base || !canMerge) return 'conflict';
  const result = await mergeLines(ours.bytes, base.bytes, theirs.bytes, sides.signal);
  if (!result) return 'conflict';
  sides.merged.set(file, result);
  return 'merge';
}

async function contentOf(tree: SnapshotTree, file: string) {
  const found = await tree.stat(file).catch(() => undefined);
  if (!found || found.kind === 'folder' || found.kind === 'other') return undefined;
  return { ...found, bytes: await tree.read(file) };
}

/** As git merges the lines of a file; undefined when it would leave a conflict. */
async function mergeLines(
  ours: Uint8Array,
  base: Uint8Array,
  theirs: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-merge-'));
  try {
    const names = { ours, base, theirs };
    for (const [name, bytes] of Object.entries(names)) {
      await writeFile(path.join(folder, name), bytes, { mode: 0o600 });
    }
    const args = ['merge-file', '-p', '-q', ...Object.keys(names)];
    const { exitCode, stdout } = await nodeExec('git', args, { cwd: folder, signal });
    return exitCode === 0 ? stdout : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The branch's files, with what was merged in the place of some. */
function withMerged(tree: SnapshotTree, merged: ReadonlyMap<string, Uint8Array>): SnapshotTree {
  return {
    folder: tree.folder,
    list: (folder) => tree.list(folder),
    omissions: () => tree.omissions(),
    mayLack: (file) => tree.mayLack(file),
    read: async (file) => merged.get(file) ?? tree.read(file),
    stat: async (file) => {
      const found = await tree.stat(file);
      return { ...found, size: merged.get(file)?.length ?? found.size };
    },
  };
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
