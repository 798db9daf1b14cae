import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { errorCode, UserError } from '../../../base/errors.ts';
import { plain } from '../../../base/plainText.ts';
import { nativePath } from './files.ts';
import { O_PATH } from './noFollow.ts';

/** How many folders stay open between operations. */
const MAX_KEPT = 64;
const HELD_PATH = /\/proc\/self\/fd\/(\d+)/g;
/** Opens a folder but no link to one; needs no permission to list the folder. */
const FOLDER_ONLY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

interface HeldFolder {
  readonly handle: FileHandle;
  readonly device: bigint;
  readonly inode: bigint;
}

/** What identifies a file. */
interface SeenFile {
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * Addresses the entries of a tree by handles of their folders. The system follows no link on the
 * way, even if another program replaces a folder by a link at any time. Paths are relative to the
 * root. See `docs/decisions/0026-…`.
 */
export class FolderHandles {
  readonly #root: string;
  /** Open folders, those used last at the end. The root is always there. */
  readonly #held = new Map<string, HeldFolder>();
  /** Handles that no path leads to any more; an operation may still use them. */
  readonly #unused: FileHandle[] = [];
  #operations = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  /** @param root may be a link: the folder that it leads to now stays the root */
  static async open(root: string): Promise<FolderHandles> {
    const handles = new FolderHandles(root);
    if (!usesHandles) return handles;
    await handles.#hold('', await open(nativePath(root), O_PATH | constants.O_DIRECTORY));
    return handles;
  }

  /** Runs an operation. The paths from {@link entry} and {@link folder} are valid until it ends. */
  async during<T>(operation: () => Promise<T>): Promise<T> {
    this.#operations += 1;
    try {
      return await operation();
    } catch (error) {
      throw this.#withNames(error);
    } finally {
      this.#operations -= 1;
      // A descriptor must not be reused while an operation has its number in a path.
      if (this.#operations === 0) await this.#closeUnused(MAX_KEPT);
    }
  }

  /** Returns a path that leads to an entry through no link; the entry itself may be a link. */
  async entry(path: string): Promise<string> {
    const [parent, name] = splitPath(path);
    return name === '' ? `${await this.folder('')}/.` : `${await this.folder(parent)}/${name}`;
  }

  /** Like {@link entry}, for a folder. @throws if it is a link, or anything else */
  async folder(path: string): Promise<string> {
    if (!usesHandles) return this.#checkedFolder(path);
    const held = this.#held.get(path) ?? (await this.#openFolder(path));
    // Move it to the end of the map.
    this.#held.delete(path);
    this.#held.set(path, held);
    return `/proc/self/fd/${held.handle.fd}`;
  }

  /**
   * Call after a file system call has reported what is at a path now.
   * @throws UserError if it was an open folder that another program has moved or replaced
   */
  checkSeen(path: string, seen: SeenFile | undefined): void {
    const held = this.#held.get(path);
    if (path === '' || !held) return;
    if (seen?.inode === held.inode && seen.device === held.device) return;
    this.forget(path);
    throw new UserError('folder-replaced', `Another program has moved or replaced ${plain(path)}.`);
  }

  /** Call when a folder was removed: another one may be created in its place. */
  forget(path: string): void {
    for (const [name, { handle }] of this.#held) {
      if (name !== path && !name.startsWith(`${path}/`)) continue;
      this.#held.delete(name);
      this.#unused.push(handle);
    }
  }

  async close(): Promise<void> {
    await this.#closeUnused(0);
  }

  async #openFolder(path: string): Promise<HeldFolder> {
    const [parent, name] = splitPath(path);
    const place = `${await this.folder(parent)}/${name}`;
    try {
      return await this.#hold(path, await open(nativePath(place), FOLDER_ONLY));
    } catch (error) {
      throw isNoFolder(error) ? replacedFolderError(path) : error;
    }
  }

  async #hold(path: string, handle: FileHandle): Promise<HeldFolder> {
    const { dev: device, ino: inode } = await handle.stat({ bigint: true });
    const other = this.#held.get(path);
    if (other) this.#unused.push(other.handle);
    const held = { handle, device, inode };
    this.#held.set(path, held);
    return held;
  }

  async #closeUnused(maxKept: number): Promise<void> {
    const closed = this.#unused.splice(0);
    for (const [path, { handle }] of this.#held) {
      if (this.#held.size <= maxKept) break;
      if (path === '' && maxKept > 0) continue;
      this.#held.delete(path);
      closed.push(handle);
    }
    for (const handle of closed) await handle.close();
  }

  /** Systems without `/proc` have no paths below a handle, so check each folder on the way. */
  async #checkedFolder(path: string): Promise<string> {
    const names = path === '' ? [] : path.split('/');
    let place = this.#root;
    for (const [at, name] of names.entries()) {
      place = `${place}/${name}`;
      const stats = await lstat(nativePath(place));
      if (!stats.isDirectory()) throw replacedFolderError(names.slice(0, at + 1).join('/'));
    }
    return place;
  }

  /** Replaces handles in an error message of the system with the names of their folders. */
  #withNames(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const named = (text: string) =>
      text.replace(HELD_PATH, (whole, digits) => {
        for (const [path, { handle }] of this.#held)
          if (handle.fd === Number(digits))
            return path === '' ? this.#root : `${this.#root}/${path}`;
        return whole;
      });
    error.message = named(error.message);
    const { path } = error as NodeJS.ErrnoException;
    if (typeof path === 'string') Object.assign(error, { path: named(path) });
    return error;
  }
}

const usesHandles = process.platform === 'linux';

/** Splits off the last name. The names come from snapshots, which may be damaged. */
function splitPath(path: string): [parent: string, name: string] {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  if (name === '.' || name === '..') throw new Error(`${path} is no path inside of a folder.`);
  return [path.slice(0, Math.max(at, 0)), name];
}

function isNoFolder(error: unknown): boolean {
  return ['ELOOP', 'ENOTDIR'].includes(errorCode(error) ?? '');
}

/** The code differs from `ENOTDIR`, which would mean that nothing exists at the path. */
function replacedFolderError(path: string): UserError {
  return new UserError('folder-replaced', `${plain(path)} is no longer a folder.`);
}
