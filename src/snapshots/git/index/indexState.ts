import { errorCode } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import { GitFailure } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { HeadState } from '../worktree/headState.ts';
import { chunksOf } from './indexChunks.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { concatenate } from '../../../base/bytes.ts';
import type { UserRepository } from '../worktree/repository.ts';
import { copyObjects } from '../objects/copyObjects.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import { MODE_FILE } from '../objects/treeFormat.ts';
import { splitZero } from '../../common/zeroSeparated.ts';

/** The user's index at the time of a snapshot. */
export interface CapturedIndex {
  /** Hash of everything but cached file times: equal digests mean equal indexes. */
  readonly digest: string;
  /** The ID of a tree whose blobs, joined in order, are the index file. */
  readonly chunks: string;
  /** The shared file of a split index, stored in the same way. */
  readonly shared?: { readonly name: string; readonly chunks: string };
  /**
   * The ID of a tree with the staged content that HEAD lacks; its entries are named by object ID.
   */
  readonly staged: string | undefined;
  /** Staged content that could not be stored. */
  readonly missing: readonly string[];
}

export interface CaptureContext {
  readonly ports: GitPorts;
  readonly store: ObjectStore;
  readonly repository: UserRepository;
  readonly head: HeadState;
  readonly signal: AbortSignal;
}

/**
 * Ignores submodules: their objects are not in this repository, and git fails on them if
 * `.gitmodules` is damaged, for example during a merge.
 */
const DIFF_INDEX = [
  'diff-index',
  '--cached',
  '--raw',
  '-z',
  '--no-abbrev',
  '--no-renames',
  '--ignore-submodules=all',
];

/**
 * With this setting, git lists a skip-worktree entry as it is in the index, even if its file
 * exists.
 */
const ENTRIES = [
  '-c',
  'sparse.expectFilesOutsideOfPatterns=true',
  'ls-files',
  '-z',
  '-s',
  '-v',
  '--full-name',
];

/** Captures the user's index; returns `previous` if nothing changed. */
export async function captureIndex(
  context: CaptureContext,
  previous: CapturedIndex | undefined,
): Promise<CapturedIndex | undefined> {
  const { ports, store, repository, head, signal } = context;
  const bytes = await readIfThere(ports, joinPath(repository.gitDir, 'index'));
  if (!bytes) return undefined;
  const ask = (args: readonly string[]) => repository.readIndex(args, { signal }).catch(isRefused);
  const [entries, staged] = await Promise.all([
    ask(ENTRIES),
    // If HEAD's trees are missing, as in partial clones, every entry counts as staged.
    head.commit === undefined ? undefined : ask([...DIFF_INDEX, head.commit]),
  ]);
  if (!entries) return damagedIndex(context, bytes);
  const parts = [entries.stdout, staged?.stdout ?? new Uint8Array()];
  const digest = ports.coding.hash('sha1', parts);
  if (previous?.digest === digest) return previous;

  const oids = new Set(stagedObjects(entries.stdout, staged?.stdout, store.oidBytes * 2));
  const copied = await copyObjects(context, [...oids]);
  const items = new Map<string, TreeItem>(
    copied.present.map((oid) => [oid, { mode: MODE_FILE, oid }]),
  );
  const sharedName = await sharedIndexName(ports, repository, bytes);
  const sharedBytes =
    sharedName && (await readIfThere(ports, joinPath(repository.gitDir, sharedName)));
  return {
    digest,
    chunks: await writeChunks(store, bytes),
    ...(sharedName &&
      sharedBytes && {
        shared: { name: sharedName, chunks: await writeChunks(store, sharedBytes) },
      }),
    staged: items.size > 0 ? await store.writeTree(items) : undefined,
    missing: copied.missing,
  };
}

/** Stores the bytes of an index that git can't read, so that the snapshot does not fail. */
async function damagedIndex(
  { ports, store }: CaptureContext,
  bytes: Uint8Array,
): Promise<CapturedIndex> {
  const digest = ports.coding.hash('sha1', [bytes]);
  return { digest, chunks: await writeChunks(store, bytes), staged: undefined, missing: [] };
}

function isRefused(error: unknown): undefined {
  // Untested: any other error is a bug and fails the snapshot, so nothing is left out of it.
  if (!(error instanceof GitFailure)) throw error;
  return undefined;
}

/** Restores the file that {@link captureIndex} stored. */
export async function readChunks(store: ObjectStore, tree: string): Promise<Uint8Array> {
  const items = [...(await store.readTree(tree))].sort(([a], [b]) => (a < b ? -1 : 1));
  return concatenate(await Promise.all(items.map(([, { oid }]) => store.read(oid, 'blob'))));
}

async function writeChunks(store: ObjectStore, bytes: Uint8Array): Promise<string> {
  const items = new Map<string, TreeItem>();
  for (const chunk of chunksOf(bytes)) {
    const name = String(items.size).padStart(8, '0');
    items.set(name, { mode: MODE_FILE, oid: await store.write('blob', chunk) });
  }
  return store.writeTree(items);
}

/** Yields the object IDs of the entries that HEAD lacks, and of all sides of conflicts. */
function* stagedObjects(
  entries: Uint8Array,
  changes: Uint8Array | undefined,
  oidLength: number,
): Generator<string> {
  const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
  for (const entry of splitZero(entries)) {
    // git prints `H 100644 <object> <stage>\t<path>`.
    const stage = entry[2 + 7 + oidLength + 1];
    if (changes && stage === 48) continue;
    const mode = text(entry.subarray(2, 8));
    if (mode !== '160000') yield text(entry.subarray(9, 9 + oidLength));
  }
  if (!changes) return;
  for (const part of splitZero(changes)) {
    // git prints `:<old mode> <new mode> <old object> <new object> <letter>`, followed by the path
    // as a separate part.
    if (part[0] !== 58) continue;
    const [, mode, oid] =
      /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]$/.exec(text(part.subarray(0, 160))) ?? [];
    if (oid !== undefined && mode !== '160000' && !/^0+$/.test(oid)) yield oid;
  }
}

/** Finds the shared file of a split index: the index contains the checksum that is in its name. */
async function sharedIndexName(
  { files }: GitPorts,
  { gitDir }: UserRepository,
  index: Uint8Array,
): Promise<string | undefined> {
  const names = (await files.list(gitDir)).map(({ name }) => name);
  const shared = names.filter((name) => /^sharedindex\.[0-9a-f]{40,64}$/.test(name));
  if (shared.length === 0) return undefined;
  const hex = Array.from(index, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return shared.find((name) => hex.includes(name.slice('sharedindex.'.length)));
}

async function readIfThere({ files }: GitPorts, path: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
