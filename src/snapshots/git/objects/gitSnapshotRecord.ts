import { UserError } from '../../../base/errors.ts';
import { lostError } from '../../common/lostSnapshot.ts';
import type { Omission } from '../../common/provider.ts';
import type { KeptModes } from '../modes/modeTree.ts';
import type { ObjectStore } from './objectStore.ts';
import type { RepositoryState } from '../worktree/repositoryState.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_FILE, MODE_FOLDER } from './treeFormat.ts';
import { findInTree } from './treeEdit.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const VERSION = 1;

/**
 * A snapshot as its commit stores it. The commit's tree has the workspace's files in one part and
 * all other data in others.
 */
export interface GitSnapshotRecord {
  readonly version: typeof VERSION;
  readonly name: string;
  readonly label: string;
  /** The tree of the workspace's files. */
  readonly files: string;
  /** The workspace's path in its repository. */
  readonly prefix: string;
  readonly repositories: readonly RepositoryState[];
  readonly omissions: readonly Omission[];
  /** Undefined if the snapshot was taken by a version that did not store permissions. */
  readonly modes?: KeptModes;
}

/** What the commit message contains, for code that reads many commits. */
export interface CommitNote {
  readonly label: string;
  /** The commits that the user's repositories keep for this snapshot. */
  readonly kept: readonly { readonly path: string; readonly commits: readonly string[] }[];
}

/** @returns the commit */
export async function writeRecord(
  store: ObjectStore,
  record: GitSnapshotRecord,
  nowNs: bigint,
): Promise<string> {
  const items = new Map<string, TreeItem>();
  const json = encoder.encode(JSON.stringify(record));
  items.set('snapshot.json', { mode: MODE_FILE, oid: await store.write('blob', json) });
  items.set('files', { mode: MODE_FOLDER, oid: record.files });
  if (record.modes?.tree) items.set('modes', { mode: MODE_FOLDER, oid: record.modes.tree });
  const repositories = new Map<string, TreeItem>();
  for (const [number, state] of record.repositories.entries()) {
    const oid = await writeRepository(store, state);
    if (oid) repositories.set(String(number).padStart(6, '0'), { mode: MODE_FOLDER, oid });
  }
  if (repositories.size > 0) {
    items.set('repositories', { mode: MODE_FOLDER, oid: await store.writeTree(repositories) });
  }
  const note: CommitNote = {
    label: record.label,
    kept: record.repositories
      .filter(({ kept }) => kept.length > 0)
      .map(({ path, kept }) => ({ path, commits: kept })),
  };
  const who = `AH <ah@localhost> ${nowNs / 1_000_000_000n} +0000`;
  const tree = await store.writeTree(items);
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n${JSON.stringify(note)}\n`;
  return store.write('commit', encoder.encode(text));
}

/** Makes the parts of a repository's state reachable, so that garbage collection keeps them. */
async function writeRepository(
  store: ObjectStore,
  { index, gitFiles }: RepositoryState,
): Promise<string | undefined> {
  const items = new Map<string, TreeItem>();
  if (index) items.set('index', { mode: MODE_FOLDER, oid: index.chunks });
  if (index?.shared) items.set('sharedIndex', { mode: MODE_FOLDER, oid: index.shared.chunks });
  if (index?.staged) items.set('staged', { mode: MODE_FOLDER, oid: index.staged });
  if (gitFiles.length > 0) {
    const numbered = gitFiles.map(
      ({ oid }, at) => [String(at).padStart(6, '0'), { mode: MODE_FILE, oid }] as const,
    );
    items.set('git', { mode: MODE_FOLDER, oid: await store.writeTree(new Map(numbered)) });
  }
  return items.size > 0 ? store.writeTree(items) : undefined;
}

/** Returns the commit of a reference. @throws UserError */
export function commitOf(ref: string): string {
  const [, oid] = /^[\w-]+@([0-9a-f]{40}|[0-9a-f]{64})$/.exec(ref) ?? [];
  if (oid !== undefined) return oid;
  throw new UserError('snapshot-missing', 'The reference does not name a git snapshot.');
}

export function nameOf(ref: string): string {
  return ref.slice(0, ref.indexOf('@'));
}

/** Returns the tree of a snapshot's files. @throws UserError */
export async function filesOf(store: ObjectStore, ref: string): Promise<string> {
  const files = await findInTree(store, await rootOf(store, ref), 'files');
  if (!files) throw new UserError('snapshot-missing', 'This snapshot is incomplete.');
  return files.oid;
}

/** @throws UserError */
export async function readRecord(store: ObjectStore, ref: string): Promise<GitSnapshotRecord> {
  const item = await findInTree(store, await rootOf(store, ref), 'snapshot.json');
  if (!item) throw new UserError('snapshot-missing', 'This snapshot is incomplete.');
  const record = JSON.parse(
    decoder.decode(await store.read(item.oid, 'blob')),
  ) as GitSnapshotRecord;
  if (record.version !== VERSION) {
    throw new UserError(
      'snapshot-too-new',
      'This snapshot was taken by a newer version. Update the extension to use it.',
    );
  }
  return record;
}

async function rootOf(store: ObjectStore, ref: string): Promise<string> {
  if (await store.isLost(nameOf(ref))) throw lostError();
  const commit = decoder.decode(await store.read(commitOf(ref), 'commit'));
  const [, tree] = /^tree ([0-9a-f]+)\n/.exec(commit) ?? [];
  // Untested: git checks objects by their hash, and writeRecord puts the tree first.
  if (tree === undefined) throw new Error('A commit object is damaged.');
  return tree;
}
