import { permissionChange, type FileChange, type PermissionChange } from '../../common/provider.ts';
import { diffTrees } from '../objects/gitDiff.ts';
import { fileAt, modeAt, type KeptModes } from './modeTree.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { findInTree } from '../objects/treeEdit.ts';
import { MODE_EXECUTABLE, MODE_FILE } from '../objects/treeFormat.ts';
import { pathsOf } from '../zeroSeparated.ts';

/** The files of a state, and the permissions that git does not know. */
export interface FilesWithModes {
  readonly files: string;
  /** Unknown in snapshots from before they were kept. */
  readonly modes?: KeptModes | undefined;
}

/** What is different between two states, by path: files by content, kind and permissions. Folders are not named. */
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
    const [was, is] = await Promise.all(
      [before.modes, after.modes].map(
        async ({ tree }) => tree ?? (await store.writeTree(new Map())),
      ),
    );
    return (await diffTrees(store, was!, is!, signal)).flatMap(({ path }) => fileAt(path) ?? []);
  }
  // What was usual then may not be now: only a look at all of them tells.
  return pathsOf((await store.git(['ls-tree', '-r', '-z', '--name-only', after.files])).stdout);
}

/** Undefined for what is no file there. */
async function fileMode(
  store: ObjectStore,
  { files, modes }: FilesWithModes,
  path: string,
): Promise<number | undefined> {
  const item = await findInTree(store, files, path);
  // Untested: the change is listed all the same, without permissions.
  if (!modes || (item?.mode !== MODE_FILE && item?.mode !== MODE_EXECUTABLE)) return undefined;
  return modeAt(store, modes, path, { kind: 'file', isExecutable: item.mode === MODE_EXECUTABLE });
}
