import { areEqualBytes } from '../../../base/bytes.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { threeWayBits } from '../../common/threeWay.ts';
import type { SnapshotTree, TreeStat } from '../../../snapshots/common/provider.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** Larger files are not merged line by line. */
const MAX_MERGED_BYTES = 4 * 1024 * 1024;

/** Three states of the same files: the common base and both sides. */
export interface MergeSides {
  readonly base: SnapshotTree;
  readonly ours: SnapshotTree;
  readonly theirs: SnapshotTree;
  readonly signal: AbortSignal;
}

/** A file with the changes of both sides. */
export interface MergedFile {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
  /** Set if the provider stores permissions. */
  readonly mode?: number;
}

/**
 * @returns the merged file; `same` when ours is equal to it; `conflict` when both changed the same
 * lines
 */
export async function mergeFile(
  file: string,
  sides: MergeSides,
): Promise<MergedFile | 'same' | 'conflict'> {
  const ours = await contentOf(sides.ours, file);
  const theirs = await contentOf(sides.theirs, file);
  if (!ours || !theirs) return ours === theirs ? 'same' : 'conflict';
  if (ours.kind !== theirs.kind) return 'conflict';
  const base = await contentOf(sides.base, file);
  if (base?.kind !== ours.kind)
    return areEqualBytes(ours.bytes, theirs.bytes) && haveSameBits(ours, theirs)
      ? 'same'
      : 'conflict';
  const bytes = await mergedBytes(base, ours, theirs, sides.signal);
  if (!bytes) return 'conflict';
  const merged = { bytes, ...mergedBits(base, ours, theirs) };
  return areEqualBytes(merged.bytes, ours.bytes) && haveSameBits(merged, ours) ? 'same' : merged;
}

interface Content extends TreeStat {
  readonly bytes: Uint8Array;
}

async function contentOf(tree: SnapshotTree, file: string): Promise<Content | undefined> {
  const found = await tree.stat(file).catch(() => undefined); // This side lacks the file.
  if (!found || found.kind === 'folder' || found.kind === 'other') return undefined;
  return { ...found, bytes: await tree.read(file) };
}

/** Merges permissions independently of the lines. */
function mergedBits(base: Content, ours: Content, theirs: Content): Omit<MergedFile, 'bytes'> {
  const bit = ({ isExecutable }: Content) => Number(isExecutable);
  const isExecutable = threeWayBits(bit(base), bit(ours), bit(theirs)) !== 0;
  if (base.mode === undefined || ours.mode === undefined || theirs.mode === undefined)
    return { isExecutable };
  return { isExecutable, mode: threeWayBits(base.mode, ours.mode, theirs.mode) };
}

async function mergedBytes(
  base: Content,
  ours: Content,
  theirs: Content,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (areEqualBytes(ours.bytes, theirs.bytes) || areEqualBytes(base.bytes, theirs.bytes))
    return ours.bytes;
  if (areEqualBytes(base.bytes, ours.bytes)) return theirs.bytes;
  const canMerge = [base, ours, theirs].every(
    ({ kind, bytes }) => kind === 'file' && bytes.length <= MAX_MERGED_BYTES && !bytes.includes(0),
  );
  return canMerge ? mergeLines(ours.bytes, base.bytes, theirs.bytes, signal) : undefined;
}

/** Merges lines with git; undefined when there is a conflict. */
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

type Bits = Pick<MergedFile, 'isExecutable' | 'mode'>;

function haveSameBits(a: Bits, b: Bits): boolean {
  return a.isExecutable === b.isExecutable && a.mode === b.mode;
}
