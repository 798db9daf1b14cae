import { UserError } from '../../base/errors.ts';
import type { Files, FileStat } from '../common/ports.ts';
import { pathToBytes } from '../common/pathBytes.ts';
import type { Omission, SnapshotTree, TreeEntry, TreeStat } from '../common/provider.ts';
import { statBelow } from '../common/folders.ts';
import { joinPath, relativeWithin } from '../common/posixPath.ts';

const ANY_EXECUTE = 0o111;

/** A snapshot that is a folder of the file system. */
export class FolderTree implements SnapshotTree {
  readonly folder: string;
  readonly #files: Files;
  readonly #omissions: readonly Omission[];

  constructor(files: Files, folder: string, omissions: readonly Omission[] = []) {
    this.#files = files;
    this.folder = folder;
    this.#omissions = omissions;
  }

  async stat(path: string): Promise<TreeStat> {
    const { kind, size, mode } = await this.#find(path);
    return { kind, size, mode, isExecutable: kind === 'file' && (mode & ANY_EXECUTE) !== 0 };
  }

  async list(folder: string): Promise<readonly TreeEntry[]> {
    const { kind } = await this.#find(folder);
    if (kind !== 'folder') throw notInSnapshot(folder);
    return this.#files.list(joinPath(this.folder, folder));
  }

  async read(path: string): Promise<Uint8Array> {
    const { kind } = await this.#find(path);
    const place = joinPath(this.folder, path);
    if (kind === 'file') return this.#files.read(place);
    if (kind === 'symlink') return pathToBytes(await this.#files.readLink(place));
    throw notInSnapshot(path);
  }

  omissions(): Promise<readonly Omission[]> {
    return Promise.resolve(this.#omissions);
  }

  /** Only the listed omissions can be missing: the snapshot has everything of its volume. */
  mayLack(path: string): Promise<boolean> {
    const isIn = ({ path: folder }: Omission) => relativeWithin(folder, path) !== undefined;
    return Promise.resolve(this.#omissions.some(isIn));
  }

  async #find(path: string): Promise<FileStat> {
    const names = path === '' ? [] : path.split('/');
    const isPlain = !names.some((name) => ['', '.', '..'].includes(name) || name.includes('\0'));
    const stat = isPlain ? await statBelow(this.#files, this.folder, path) : undefined;
    if (stat === undefined) throw notInSnapshot(path);
    return stat;
  }
}

function notInSnapshot(path: string): UserError {
  return new UserError(
    'not-in-snapshot',
    `The snapshot does not contain ${path || 'this folder'}.`,
  );
}
