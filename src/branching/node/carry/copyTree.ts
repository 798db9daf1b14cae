import { constants, type BigIntStats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { errorCode, isGoneCode } from '../../../base/errors.ts';
import { nativePath } from '../../../platform/node/files/files.ts';
import type { FilesInside } from '../../../platform/node/files/filesInside.ts';
import { changeMode } from '../../../platform/node/files/noFollow.ts';
import { inParallel } from '../../../snapshots/common/inParallel.ts';

/** Enough to keep Node's file system threads busy. */
const PARALLEL_FILES = 8;
const NS_PER_SECOND = 1e9;
const MAX_ATTEMPTS = 5;
/** Folders get their permissions last, because these may forbid writing. */
const OWNER_ONLY = 0o700;

export interface CopySides {
  readonly source: FilesInside;
  readonly target: FilesInside;
  /** Absolute paths of the source and the destination. */
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** Open folders of both sides, as paths that lead through no link. */
interface OpenFolders {
  readonly source: string;
  readonly target: string;
}

/**
 * Copies files and folders to places where nothing exists yet, sharing blocks if the file system
 * can: with times, permissions, hard links between copied files and, for root, owners. Follows no
 * link, even if a program creates one meanwhile.
 */
export class TreeCopy {
  /** How many files were deleted or replaced before they could be copied. */
  vanished = 0;
  /** Pipes, sockets and devices, which are not copied. */
  special = 0;
  readonly #sides: CopySides;
  /** The first copy of each file that has several names. */
  readonly #firstCopies = new Map<string, Promise<{ folder: string; name: string }>>();

  constructor(sides: CopySides) {
    this.#sides = sides;
  }

  /** @param path relative to both sides; the folder that contains it exists on both */
  async copy(path: string): Promise<void> {
    const at = path.lastIndexOf('/');
    await this.#copyEntries(path.slice(0, Math.max(at, 0)), [path.slice(at + 1)]);
  }

  async #copyEntries(folder: string, names: readonly string[]): Promise<void> {
    const folders: { path: string; stats: BigIntStats }[] = [];
    await this.#inBoth(folder, (open) =>
      inParallel(names, PARALLEL_FILES, async (name) => {
        this.#sides.signal.throwIfAborted();
        const stats = await this.#copyEntry(open, folder, name);
        if (stats?.isDirectory())
          folders.push({ path: folder === '' ? name : `${folder}/${name}`, stats });
      }),
    );
    for (const { path, stats } of folders) await this.#fillFolder(path, stats);
  }

  /** @returns what was copied; a folder is only created */
  async #copyEntry(
    open: OpenFolders,
    folder: string,
    name: string,
    attempt = 1,
  ): Promise<BigIntStats | undefined> {
    const source = nativePath(`${open.source}/${name}`);
    const target = nativePath(`${open.target}/${name}`);
    try {
      const stats = await fs.lstat(source, { bigint: true });
      if (stats.isDirectory()) await fs.mkdir(target, OWNER_ONLY);
      else if (stats.isSymbolicLink())
        await fs.symlink(await fs.readlink(source, { encoding: 'buffer' }), target);
      else if (stats.isFile()) await this.#copyFile({ source, target, stats, folder, name });
      else {
        this.special += 1;
        return undefined;
      }
      if (!stats.isDirectory()) await keepFacts(target, stats);
      return stats;
    } catch (error) {
      if (!isGoneCode(errorCode(error) ?? '')) throw error;
      if (!(await isThere(source))) {
        this.vanished += 1;
        return undefined;
      }
      // The target is gone, or a build has deleted the file and created it again.
      if (attempt === MAX_ATTEMPTS) throw error;
      return this.#copyEntry(open, folder, name, attempt + 1);
    }
  }

  async #copyFile(file: {
    readonly source: string | Buffer;
    readonly target: string | Buffer;
    readonly stats: BigIntStats;
    readonly folder: string;
    readonly name: string;
  }): Promise<void> {
    const { source, target, stats, folder, name } = file;
    const copy = async () => {
      await fs.copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      return { folder, name };
    };
    if (stats.nlink === 1n) {
      await copy();
      return;
    }
    const key = `${stats.dev}:${stats.ino}`;
    const known = this.#firstCopies.get(key);
    if (!known) {
      const copied = copy();
      this.#firstCopies.set(key, copied);
      await copied;
      return;
    }
    const first = await known;
    await this.#sides.target.inFolder(this.#target(first.folder), (place) =>
      fs.link(nativePath(`${place}/${first.name}`), target),
    );
  }

  async #fillFolder(path: string, stats: BigIntStats): Promise<void> {
    const { source, from } = this.#sides;
    let names: string[];
    try {
      names = (await source.list(join(from, path))).map(({ name }) => name);
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (!isGoneCode(code) && code !== 'folder-replaced') throw error;
      this.vanished += 1;
      return;
    }
    if (names.length > 0) await this.#copyEntries(path, names);
    await this.#sides.target.inFolder(this.#target(path), (place) =>
      keepFacts(`${place}/.`, stats),
    );
  }

  #inBoth(folder: string, task: (open: OpenFolders) => Promise<void>): Promise<void> {
    const { source, target, from } = this.#sides;
    return source.inFolder(join(from, folder), (open) =>
      target.inFolder(this.#target(folder), (place) => task({ source: open, target: place })),
    );
  }

  #target(path: string): string {
    return join(this.#sides.to, path);
  }
}

/** Gives a copy the owner, permissions and times of the original. */
async function keepFacts(place: string | Buffer, stats: BigIntStats): Promise<void> {
  if (process.getuid?.() === 0) await fs.lchown(place, Number(stats.uid), Number(stats.gid));
  // The copy of a file has its permissions already, but a new owner removes some.
  if (stats.isDirectory() || process.getuid?.() === 0)
    await changeMode(place, Number(stats.mode & 0o7777n));
  await fs.lutimes(
    place,
    Number(stats.atimeNs) / NS_PER_SECOND,
    Number(stats.mtimeNs) / NS_PER_SECOND,
  );
}

async function isThere(place: string | Buffer): Promise<boolean> {
  return fs.lstat(place).then(
    () => true,
    () => false,
  );
}

function join(root: string, path: string): string {
  return path === '' ? root : `${root}/${path}`;
}
