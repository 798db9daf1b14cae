import { UserError } from '../../../base/errors.ts';
import type { FileKind } from '../../ports.ts';
import type { SnapshotTree, TreeEntry, TreeStat } from '../../provider.ts';
import type { ObjectStore } from './objectStore.ts';
import { findInTree } from './treeEdit.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_EXECUTABLE, MODE_FOLDER, MODE_LINK } from './treeFormat.ts';

/** A snapshot's files, straight from the object store. */
export class GitTree implements SnapshotTree {
  readonly folder = undefined;
  readonly #store: ObjectStore;
  readonly #root: string;

  constructor(store: ObjectStore, root: string) {
    this.#store = store;
    this.#root = root;
  }

  async stat(path: string): Promise<TreeStat> {
    const { mode, oid } = await this.#find(path);
    const size = mode === MODE_FOLDER ? 0 : ((await this.#store.reader.info(oid))?.size ?? 0);
    return { kind: kindOf(mode), size, isExecutable: mode === MODE_EXECUTABLE };
  }

  async list(folder: string): Promise<readonly TreeEntry[]> {
    const { mode, oid } = await this.#find(folder);
    if (mode !== MODE_FOLDER) throw missing(folder);
    return Array.from(await this.#store.readTree(oid), ([name, item]) => ({
      name,
      kind: kindOf(item.mode),
    }));
  }

  async read(path: string): Promise<Uint8Array> {
    const { mode, oid } = await this.#find(path);
    if (mode === MODE_FOLDER) throw missing(path);
    return this.#store.read(oid, 'blob');
  }

  async identity(path: string): Promise<string> {
    const { mode, oid } = await this.#find(path);
    return `${mode} ${oid}`;
  }

  async #find(path: string): Promise<TreeItem> {
    const item = await findInTree(this.#store, this.#root, path);
    if (!item) throw missing(path);
    return item;
  }
}

function kindOf(mode: string): FileKind {
  if (mode === MODE_FOLDER) return 'folder';
  return mode === MODE_LINK ? 'symlink' : 'file';
}

function missing(path: string): UserError {
  return new UserError('not-in-snapshot', `${path || 'This folder'} is not in the snapshot.`);
}
