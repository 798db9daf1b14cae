import { isInside } from '../../common/pathBelow.ts';
import { UserError } from '../../../base/errors.ts';
import type { FileKind } from '../../common/ports.ts';
import type { Omission, SnapshotTree, TreeEntry, TreeStat } from '../../common/provider.ts';
import { modeAt, modePlaceOf } from '../modes/modeTree.ts';
import type { GitSnapshotRecord } from './gitSnapshotRecord.ts';
import type { ObjectStore } from './objectStore.ts';
import { findInTree } from './treeEdit.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_EXECUTABLE, MODE_FOLDER, MODE_LINK } from './treeFormat.ts';

interface LeftOut {
  readonly paths: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** A snapshot's files, read from the object store. */
export class GitTree implements SnapshotTree {
  readonly folder = undefined;
  readonly #store: ObjectStore;
  readonly #root: string;
  readonly #readRecord: () => Promise<GitSnapshotRecord>;
  #record: Promise<GitSnapshotRecord> | undefined;
  #leftOut: Promise<LeftOut> | undefined;

  /** @param readRecord reads the facts stored beside the files */
  constructor(store: ObjectStore, root: string, readRecord: () => Promise<GitSnapshotRecord>) {
    this.#store = store;
    this.#root = root;
    this.#readRecord = readRecord;
  }

  async stat(path: string): Promise<TreeStat> {
    const { mode, oid } = await this.#find(path);
    const size = mode === MODE_FOLDER ? 0 : ((await this.#store.sizeOf(oid)) ?? 0);
    const found = { kind: kindOf(mode), isExecutable: mode === MODE_EXECUTABLE };
    return { ...found, size, ...(await this.#permissionsOf(path, found)) };
  }

  async #permissionsOf(
    path: string,
    { kind, isExecutable }: Pick<TreeStat, 'kind' | 'isExecutable'>,
  ): Promise<Pick<TreeStat, 'mode'>> {
    const { modes } = await this.#snapshotRecord();
    if (!modes || path === '' || (kind !== 'file' && kind !== 'folder')) return {};
    return { mode: await modeAt(this.#store, modes, path, { kind, isExecutable }) };
  }

  #snapshotRecord(): Promise<GitSnapshotRecord> {
    return (this.#record ??= this.#readRecord());
  }

  async list(folder: string): Promise<readonly TreeEntry[]> {
    const { mode, oid } = await this.#find(folder);
    if (mode !== MODE_FOLDER) throw notInSnapshot(folder);
    return Array.from(await this.#store.readTree(oid), ([name, item]) => ({
      name,
      kind: kindOf(item.mode),
    }));
  }

  async read(path: string): Promise<Uint8Array> {
    const { mode, oid } = await this.#find(path);
    if (mode === MODE_FOLDER) throw notInSnapshot(path);
    return this.#store.read(oid, 'blob');
  }

  async identity(path: string): Promise<string> {
    const { mode, oid } = await this.#find(path);
    const { modes } = await this.#snapshotRecord();
    if (!modes) return `${mode} ${oid}`;
    const place = path === '' ? '' : modePlaceOf(path);
    const unusual = modes.tree && (await findInTree(this.#store, modes.tree, place));
    return `${mode} ${oid} ${modes.umask} ${unusual ? unusual.oid : ''}`;
  }

  async omissions(): Promise<readonly Omission[]> {
    return (await this.#snapshotRecord()).omissions;
  }

  async mayLack(path: string): Promise<boolean> {
    const { paths, isComplete } = await (this.#leftOut ??= this.#readLeftOut());
    return !isComplete || isInside(paths, path);
  }

  async #readLeftOut(): Promise<LeftOut> {
    const paths = (await this.omissions()).map((omission) => omission.path);
    // If there were too many omissions to list, the rest are counted under an empty path.
    return { paths: new Set(paths), isComplete: !paths.includes('') };
  }

  async #find(path: string): Promise<TreeItem> {
    const item = await findInTree(this.#store, this.#root, path);
    if (!item) throw notInSnapshot(path);
    return item;
  }
}

function kindOf(mode: string): FileKind {
  if (mode === MODE_FOLDER) return 'folder';
  return mode === MODE_LINK ? 'symlink' : 'file';
}

function notInSnapshot(path: string): UserError {
  return new UserError('not-in-snapshot', `${path || 'This folder'} is not in the snapshot.`);
}
