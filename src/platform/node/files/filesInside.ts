import { mkdir } from 'node:fs/promises';
import { errorCode } from '../../../base/errors.ts';
import type { Files, FileStat } from '../../../snapshots/common/ports.ts';
import { nativePath, nodeFiles } from './files.ts';
import { FolderHandles } from './folderHandles.ts';

/** How often the removal of a tree is repeated while programs create files in it. */
const MAX_REMOVALS = 4;
const OWNER_ONLY = 0o700;

/**
 * The files below one folder, for writing where other programs work: no operation follows a link
 * out of the folder, even if a program replaces a folder by a link meanwhile. Paths elsewhere are
 * handled as by {@link nodeFiles}. Folders stay open: `stat` and `makeFolder` throw `folder-replaced`
 * once if they find that another program has moved or replaced one.
 */
export class FilesInside implements Files {
  readonly #root: string;
  readonly #handles: FolderHandles;

  private constructor(root: string, handles: FolderHandles) {
    this.#root = root;
    this.#handles = handles;
  }

  /** @param root an existing folder, or a link to one. Close the result. */
  static async open(root: string): Promise<FilesInside> {
    return new FilesInside(root, await FolderHandles.open(root));
  }

  close(): Promise<void> {
    return this.#handles.close();
  }

  /** Runs an operation with a path that leads to a folder through no link. */
  inFolder<T>(path: string, operation: (place: string) => Promise<T>): Promise<T> {
    return this.#handles.during(async () => operation(await this.#folder(path)));
  }

  stat(path: string): Promise<FileStat> {
    return this.#handles.during(() => this.#stat(path));
  }

  async statAll(paths: readonly string[]): Promise<(FileStat | string)[]> {
    const found: (FileStat | string)[] = [];
    for (const path of paths)
      found.push(await this.stat(path).catch((error: unknown) => errorCode(error) ?? 'EIO'));
    return found;
  }

  list(folder: string): ReturnType<Files['list']> {
    return this.inFolder(folder, (place) => nodeFiles.list(place));
  }

  read(path: string): Promise<Uint8Array> {
    return this.#at(path, (place) => nodeFiles.read(place));
  }

  canRead(path: string): Promise<boolean> {
    return this.#at(path, (place) => nodeFiles.canRead(place));
  }

  readLink(path: string): Promise<string> {
    return this.#at(path, (place) => nodeFiles.readLink(place));
  }

  write(path: string, bytes: Uint8Array, mode?: number, drafts?: string): Promise<void> {
    return this.#at(path, async (place) =>
      nodeFiles.write(place, bytes, mode, drafts && (await this.#folder(drafts))),
    );
  }

  sync(path: string): Promise<void> {
    return this.#at(path, (place) => nodeFiles.sync(place));
  }

  copy(from: string, to: string, mode?: number, drafts?: string): Promise<void> {
    return this.#at(to, async (place) =>
      nodeFiles.copy(await this.#entry(from), place, mode, drafts && (await this.#folder(drafts))),
    );
  }

  areEqual(one: string, other: string): Promise<boolean> {
    return this.#at(one, async (place) => nodeFiles.areEqual(place, await this.#entry(other)));
  }

  link(target: string, path: string): Promise<void> {
    return this.#at(path, (place) => nodeFiles.link(target, place));
  }

  makeFolder(path: string, mode = OWNER_ONLY): Promise<void> {
    const inside = this.#inside(path);
    if (inside === undefined) return nodeFiles.makeFolder(path);
    return this.#handles.during(async () => {
      const names = inside === '' ? [] : inside.split('/');
      for (let count = 1; count <= names.length; count++)
        await this.#makeOne(`${this.#root}/${names.slice(0, count).join('/')}`, mode);
      // Opening it makes sure that it is a folder.
      await this.#handles.folder(inside);
    });
  }

  setMode(path: string, mode: number): Promise<void> {
    return this.#at(path, (place) => nodeFiles.setMode(place, mode));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#at(from, async (place) => nodeFiles.rename(place, await this.#entry(to)));
  }

  remove(path: string): Promise<void> {
    return this.#at(path, async (place) => {
      await nodeFiles.remove(place);
      const inside = this.#inside(path);
      if (inside !== undefined) this.#handles.forget(inside);
    });
  }

  async removeTree(path: string): Promise<void> {
    if (this.#inside(path) === undefined) return nodeFiles.removeTree(path);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#removeTree(path);
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return;
        const isChanged = ['ENOTEMPTY', 'folder-replaced'].includes(errorCode(error) ?? '');
        if (!isChanged || attempt === MAX_REMOVALS) throw error;
      }
    }
  }

  realPath(path: string): Promise<string> {
    return nodeFiles.realPath(path);
  }

  async #stat(path: string): Promise<FileStat> {
    const place = await this.#entry(path);
    try {
      const found = await nodeFiles.stat(place);
      this.#check(path, found);
      return found;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') this.#check(path, undefined);
      throw error;
    }
  }

  async #makeOne(path: string, mode: number): Promise<void> {
    try {
      await this.#stat(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      // Not recursive: Node would try to create the parts of a path below a handle.
      await mkdir(nativePath(await this.#entry(path)), mode).catch(ignoreExisting);
    }
  }

  async #removeTree(path: string): Promise<void> {
    const { kind } = await this.stat(path);
    if (kind === 'folder')
      for (const { name } of await this.list(path)) await this.#removeTree(`${path}/${name}`);
    await this.remove(path);
  }

  #at<T>(path: string, operation: (place: string) => Promise<T>): Promise<T> {
    return this.#handles.during(async () => operation(await this.#entry(path)));
  }

  async #entry(path: string): Promise<string> {
    const inside = this.#inside(path);
    return inside === undefined ? path : this.#handles.entry(inside);
  }

  async #folder(path: string): Promise<string> {
    const inside = this.#inside(path);
    return inside === undefined ? path : this.#handles.folder(inside);
  }

  #check(path: string, seen: FileStat | undefined): void {
    const inside = this.#inside(path);
    if (inside !== undefined) this.#handles.checkSeen(inside, seen);
  }

  /** The path relative to the root; undefined for a path elsewhere. */
  #inside(path: string): string | undefined {
    if (path === this.#root) return '';
    const prefix = this.#root.endsWith('/') ? this.#root : `${this.#root}/`;
    return path.startsWith(prefix) ? path.slice(prefix.length).replace(/^\/+/, '') : undefined;
  }
}

/** Another program may have created the folder, or anything else, since it was looked for. */
function ignoreExisting(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
