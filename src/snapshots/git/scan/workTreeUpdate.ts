import type { Omission } from '../../common/provider.ts';
import type { ExecResult } from '../../common/ports.ts';
import { baseName } from '../../common/posixPath.ts';
import { addPaths, removePaths } from '../index/privateIndex.ts';
import { readIntoStore } from '../objects/readIntoStore.ts';
import type { Candidates } from './scanCandidates.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import { isSameState } from './stableRead.ts';
import { statFingerprint } from './statFingerprint.ts';
import { indexFileOf } from './workTree.ts';
import type { ReadFile, ScanContext, WorkTree, WorkTreeGit } from './workTree.ts';

/** Up to here it is faster to read what differs from our index again each time than to write that index. */
const MAX_BESIDE = 200;
const MAX_BYTES_BESIDE = 4 * 1024 * 1024;

/** Paths are relative to the unit's root. */
export interface WorkTreeUpdate {
  readonly tree: string;
  /** What differs from it. */
  readonly edits: Map<string, TreeItem | undefined>;
  readonly omissions: readonly Omission[];
  readonly racy: readonly string[];
  /** Of which our index cannot tell for certain whether they change; those from before when it was not written. */
  readonly unsure: readonly string[] | undefined;
  readonly bytes: number;
}

/**
 * Reads what differs from our index and leaves that as it is; not again what was read so and looks the same. Undefined when there
 * is too much, or no telling.
 */
export async function readBeside(
  context: ScanContext,
  unit: WorkTree,
  { added, removed }: Candidates,
): Promise<WorkTreeUpdate | undefined> {
  const { standing } = unit.memory;
  const bytes = added.reduce((sum, { stat }) => sum + stat.size, 0);
  if (!standing || added.length + removed.length > MAX_BESIDE || bytes > MAX_BYTES_BESIDE) {
    return undefined;
  }
  if (standing.sign !== (await statFingerprint(context, indexFileOf(context, unit))))
    return undefined;
  const edits = new Map<string, TreeItem | undefined>(removed.map((path) => [path, undefined]));
  const known = new Map<string, ReadFile>();
  for (const { path, stat } of added) {
    const before = unit.memory.beside?.get(path);
    if (before && isSameState(before.stat, stat)) known.set(path, before);
  }
  const paths = added.map(({ path }) => path).filter((path) => !known.has(path));
  const read = await readIntoStore(context, unit.root, paths);
  // One that may have changed again in the same tick of the clock is read again.
  const racy = new Set(read.racy);
  for (const { path, stat } of added) {
    const item = known.get(path)?.item ?? read.items.get(path);
    edits.set(path, item);
    if (item && !racy.has(path)) known.set(path, { stat, item });
  }
  unit.memory.beside = known;
  return { ...read, tree: standing.tree, edits, unsure: undefined };
}

/** Brings our index up to date. */
export async function readIntoIndex(
  context: ScanContext,
  unit: WorkTree,
  own: WorkTreeGit,
  { added, removed }: Candidates,
  dropped: readonly string[],
): Promise<WorkTreeUpdate> {
  delete unit.memory.standing;
  delete unit.memory.beside;
  const index = indexFileOf(context, unit);
  await removePaths(own, [...removed, ...dropped]);
  const { doubtful, racy, unsure, bytes } = await addPaths(context, unit, own, added);
  const tree = textOf(await own.run(['write-tree']));
  await context.store.setRef(`cache/${baseName(index)}`, tree);
  unit.memory.standing = { tree, sign: await statFingerprint(context, index) };
  const read = await readIntoStore(context, unit.root, doubtful);
  return {
    ...{ tree, edits: new Map(read.items), omissions: read.omissions },
    ...{ racy: [...racy, ...read.racy], unsure },
    bytes: bytes + read.bytes,
  };
}

function textOf({ stdout }: ExecResult): string {
  return new TextDecoder().decode(stdout).trim();
}
