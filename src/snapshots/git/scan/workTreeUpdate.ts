import type { Omission } from '../../common/provider.ts';
import type { ExecResult } from '../../common/ports.ts';
import { baseName } from '../../common/posixPath.ts';
import { addPaths, removePaths } from '../index/privateIndex.ts';
import { readIntoStore } from '../objects/readIntoStore.ts';
import type { ScanCandidates } from './scanCandidates.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import { isSameState } from './stableRead.ts';
import { statFingerprint } from './statFingerprint.ts';
import { indexFileOf } from './workTree.ts';
import type { ReadFile, ScanContext, WorkTree } from './workTree.ts';
import type { WorkTreeGit } from './workTreeGit.ts';

/**
 * Up to this number of changed files, reading them in each scan is faster than writing our index.
 */
const MAX_UNINDEXED = 200;
const MAX_UNINDEXED_BYTES = 4 * 1024 * 1024;

/** Paths are relative to the work tree's root. */
export interface WorkTreeUpdate {
  readonly tree: string;
  /** The differences between the tree and the current files. */
  readonly edits: Map<string, TreeItem | undefined>;
  readonly omissions: readonly Omission[];
  readonly racy: readonly string[];
  /** Files whose changes our index may miss; undefined if the index was not written. */
  readonly unsure: readonly string[] | undefined;
  readonly bytes: number;
}

/**
 * Reads the files that differ from our index without updating the index. Files that were read
 * before and have the same stat data are not read again. Returns undefined if there are too many
 * differences, or if this process does not know the index as it is now.
 */
export async function readWithoutIndex(
  context: ScanContext,
  workTree: WorkTree,
  { added, removed }: ScanCandidates,
): Promise<WorkTreeUpdate | undefined> {
  const { indexTree } = workTree.memory;
  const bytes = added.reduce((sum, { stat }) => sum + stat.size, 0);
  if (!indexTree || added.length + removed.length > MAX_UNINDEXED || bytes > MAX_UNINDEXED_BYTES) {
    return undefined;
  }
  if (indexTree.fingerprint !== (await statFingerprint(context, indexFileOf(context, workTree))))
    return undefined;
  const edits = new Map<string, TreeItem | undefined>(removed.map((path) => [path, undefined]));
  const known = new Map<string, ReadFile>();
  for (const { path, stat } of added) {
    const before = workTree.memory.unindexed?.get(path);
    if (before && isSameState(before.stat, stat)) known.set(path, before);
  }
  const paths = added.map(({ path }) => path).filter((path) => !known.has(path));
  const read = await readIntoStore(context, workTree.root, paths);
  // A file that may change again within the same clock tick is read again.
  const racy = new Set(read.racy);
  for (const { path, stat } of added) {
    const item = known.get(path)?.item ?? read.items.get(path);
    edits.set(path, item);
    if (item && !racy.has(path)) known.set(path, { stat, item });
  }
  workTree.memory.unindexed = known;
  return { ...read, tree: indexTree.tree, edits, unsure: undefined };
}

/** Updates our index. */
export async function updateIndex(
  context: ScanContext,
  workTree: WorkTree,
  git: WorkTreeGit,
  { added, removed }: ScanCandidates,
  dropped: readonly string[],
): Promise<WorkTreeUpdate> {
  delete workTree.memory.indexTree;
  delete workTree.memory.unindexed;
  const index = indexFileOf(context, workTree);
  context.store.expectObjectsOfGit();
  await removePaths(git, [...removed, ...dropped]);
  const { doubtful, racy, unsure, bytes } = await addPaths(context, workTree, git, added);
  const tree = textOf(await git.run(['write-tree']));
  context.store.setRef(`cache/${baseName(index)}`, tree);
  workTree.memory.indexTree = { tree, fingerprint: await statFingerprint(context, index) };
  const read = await readIntoStore(context, workTree.root, doubtful);
  return {
    tree,
    edits: new Map(read.items),
    omissions: read.omissions,
    racy: [...racy, ...read.racy],
    unsure,
    bytes: bytes + read.bytes,
  };
}

function textOf({ stdout }: ExecResult): string {
  return new TextDecoder().decode(stdout).trim();
}
