import { UserError } from '../../../base/errors.ts';
import type { FileKind } from '../../ports.ts';
import type { Omission, SnapshotTree, TreeEntry, TreeStat } from '../../provider.ts';
import type { ObjectStore } from './objectStore.ts';
import { findInTree } from './treeEdit.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_EXECUTABLE, MODE_FOLDER, MODE_LINK } from './treeFormat.ts';
import { isInside } from './unit.ts';

interface LeftOut {
  readonly paths: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** A snapshot's files, straight from the object store. */
export class GitTree implements SnapshotTree {
  readonly folder = undefined;
  readonly #store: ObjectStore;
  readonly #root: string;
  readonly #readOmissions: () => Promise<readonly Omission[]>;
  #leftOut: Promise<LeftOut> | undefined;

  /** @param readOmissions what the snapshot says that it does not have */
  constructor(store: ObjectStore, root: string, readOmissions: () => Promise<readonly Omission[]>) {
    this.#store = store;
    this.#root = root;
    this.#readOmissions = readOmissions;
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

  omissions(): Promise<readonly Omission[]> {
    return this.#readOmissions();
  }

  async mayLack(path: string): Promise<boolean> {
    const { paths, isComplete } = await (this.#leftOut ??= this.#readLeftOut());
    return !isComplete || isInside(paths, path);
  }

  async #readLeftOut(): Promise<LeftOut> {
    const paths = (await this.#readOmissions()).map((omission) => omission.path);
    // Where there were too many to name, the rest is counted without a path.
    return { paths: new Set(paths), isComplete: !paths.includes('') };
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
