import type { Omission } from '../../provider.ts';
import type { ExecResult } from '../../ports.ts';
import { baseName } from '../volume/posixPath.ts';
import { addPaths, removePaths } from './privateIndex.ts';
import { readIntoStore } from './readIntoStore.ts';
import type { Candidates } from './scanCandidates.ts';
import type { TreeItem } from './treeFormat.ts';
import { indexFileOf, signOf } from './unit.ts';
import type { ScanContext, Unit, UnitGit } from './unit.ts';

/** Up to here it is faster to read what differs from our index again each time than to write that index. */
const MAX_BESIDE = 200;
const MAX_BYTES_BESIDE = 4 * 1024 * 1024;

/** Paths are relative to the unit's root. */
export interface UnitUpdate {
  readonly tree: string;
  /** What differs from it. */
  readonly edits: Map<string, TreeItem | undefined>;
  readonly omissions: readonly Omission[];
  readonly racy: readonly string[];
  readonly bytes: number;
}

/** Reads what differs from our index and leaves that as it is. Undefined when there is too much, or no telling. */
export async function readBeside(
  context: ScanContext,
  unit: Unit,
  { added, removed }: Candidates,
): Promise<UnitUpdate | undefined> {
  const { standing } = unit.memory;
  const bytes = added.reduce((sum, { stat }) => sum + stat.size, 0);
  if (!standing || added.length + removed.length > MAX_BESIDE || bytes > MAX_BYTES_BESIDE) {
    return undefined;
  }
  if (standing.sign !== (await signOf(context, indexFileOf(context, unit)))) return undefined;
  const edits = new Map<string, TreeItem | undefined>(removed.map((path) => [path, undefined]));
  const paths = added.map(({ path }) => path);
  const read = await readIntoStore(context, unit.root, paths);
  for (const [path, item] of read.items) edits.set(path, item);
  return { ...read, tree: standing.tree, edits };
}

/** Brings our index up to date. */
export async function readIntoIndex(
  context: ScanContext,
  unit: Unit,
  own: UnitGit,
  { added, removed }: Candidates,
  dropped: readonly string[],
): Promise<UnitUpdate> {
  delete unit.memory.standing;
  const index = indexFileOf(context, unit);
  await removePaths(own, [...removed, ...dropped]);
  const { doubtful, racy, bytes } = await addPaths(context, unit, own, added);
  const tree = textOf(await own.run(['write-tree']));
  await context.store.setRef(`cache/${baseName(index)}`, tree);
  unit.memory.standing = { tree, sign: await signOf(context, index) };
  const read = await readIntoStore(context, unit.root, doubtful);
  return {
    ...{ tree, edits: new Map(read.items), omissions: read.omissions },
    racy: [...racy, ...read.racy],
    bytes: bytes + read.bytes,
  };
}

function textOf({ stdout }: ExecResult): string {
  return new TextDecoder().decode(stdout).trim();
}
