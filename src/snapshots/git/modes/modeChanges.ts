import { permissionChange, type FileChange, type PermissionChange } from '../../common/provider.ts';
import { diffTrees } from '../objects/gitDiff.ts';
import { fileAt, modeAt, type KeptModes } from './modeTree.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { findInTree } from '../objects/treeEdit.ts';
import { MODE_EXECUTABLE, MODE_FILE } from '../objects/treeFormat.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

/** A snapshot's files, with the permissions that git does not store. */
export interface FilesWithModes {
  readonly files: string;
  /** Undefined if the snapshot was taken by a version that did not store permissions. */
  readonly modes?: KeptModes | undefined;
}

/** Compares content, kind and permissions of files in two snapshots, but not folders. */
export async function diffStates(
  store: ObjectStore,
  before: FilesWithModes,
  after: FilesWithModes,
  signal: AbortSignal,
): Promise<FileChange[]> {
  const changes = new Map<string, FileChange>();
  const unlike = new Set(await mayHaveOtherModes(store, before, after, signal));
  for (const { path, kind, isRunChange } of await diffTrees(
    store,
    before.files,
    after.files,
    signal,
  )) {
    changes.set(path, { path, kind });
    if (isRunChange) unlike.add(path);
  }
  for (const path of unlike) {
    signal.throwIfAborted();
    const { kind } = changes.get(path) ?? { kind: 'modified' };
    const permissions = kind === 'modified' && (await otherModes(store, before, after, path));
    if (permissions) changes.set(path, { path, kind, permissions });
  }
  return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function otherModes(
  store: ObjectStore,
  before: FilesWithModes,
  after: FilesWithModes,
  path: string,
): Promise<PermissionChange | undefined> {
  return permissionChange(await fileMode(store, before, path), await fileMode(store, after, path));
}

async function mayHaveOtherModes(
  store: ObjectStore,
  before: FilesWithModes,
  after: FilesWithModes,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!before.modes || !after.modes) return [];
  if (before.modes.umask === after.modes.umask) {
    // Git knows the empty tree.
    const treeOf = ({ tree }: KeptModes) => tree ?? store.draftTree(new Map()).oid;
    const [was, is] = [treeOf(before.modes), treeOf(after.modes)];
    return (await diffTrees(store, was, is, signal)).flatMap(({ path }) => fileAt(path) ?? []);
  }
  // Another umask means other default permissions, so all files must be checked.
  return pathsOf((await store.git(['ls-tree', '-r', '-z', '--name-only', after.files])).stdout);
}

/** Returns undefined if there is no file. */
async function fileMode(
  store: ObjectStore,
  { files, modes }: FilesWithModes,
  path: string,
): Promise<number | undefined> {
  const item = await findInTree(store, files, path);
  // Untested: the change is still listed, without permissions.
  if (!modes || (item?.mode !== MODE_FILE && item?.mode !== MODE_EXECUTABLE)) return undefined;
  return modeAt(store, modes, path, { kind: 'file', isExecutable: item.mode === MODE_EXECUTABLE });
}
