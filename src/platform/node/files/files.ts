import { errorCode } from '../../../base/errors.ts';
import { randomBytes } from 'node:crypto';
import type { BigIntStats, Dirent } from 'node:fs';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { FileKind, Files, FileStat } from '../../../snapshots/common/ports.ts';
import { inParallel } from '../../../snapshots/common/inParallel.ts';
import {
  hasEscapedBytes,
  pathFromBytes,
  pathToBytes,
} from '../../../snapshots/common/pathBytes.ts';

import { areEqualFiles, SAFE_READING } from './equalFiles.ts';
import { changeMode } from './noFollow.ts';

/** Enough parallel requests to keep the file system busy. */
const PARALLEL_STATS = 16;

/** The files of this machine; see the port for the contract. */
export const nodeFiles: Files = {
  async stat(path): Promise<FileStat> {
    const stats = await fs.lstat(nativePath(path), { bigint: true });
    return {
      kind: kindOf(stats),
      size: Number(stats.size),
      mode: Number(stats.mode & 0o7777n),
      mtimeNs: stats.mtimeNs,
      ctimeNs: stats.ctimeNs,
      inode: stats.ino,
      device: stats.dev,
      links: Number(stats.nlink),
    };
  },
  async statAll(paths) {
    const found = new Array<FileStat | string>(paths.length);
    await inParallel([...paths.entries()], PARALLEL_STATS, async ([at, path]) => {
      try {
        found[at] = await nodeFiles.stat(path);
      } catch (error) {
        found[at] = errorCode(error) ?? 'EIO';
      }
    });
    return found;
  },
  async list(folder) {
    const entries = await fs.readdir(nativePath(folder), {
      withFileTypes: true,
      encoding: 'buffer',
    });
    return entries.map((entry) => ({ name: pathFromBytes(entry.name), kind: kindOf(entry) }));
  },
  async read(path) {
    const handle = await fs.open(nativePath(path), SAFE_READING);
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  },
  async canRead(path) {
    try {
      await fs.access(nativePath(path), constants.R_OK);
      return true;
    } catch {
      return false;
    }
  },
  async readLink(path) {
    return pathFromBytes(await fs.readlink(nativePath(path), { encoding: 'buffer' }));
  },
  async write(path, bytes, mode = 0o600, drafts) {
    await replace(path, drafts, async (draft) => {
      const handle = await fs.open(nativePath(draft), 'wx', mode);
      try {
        await handle.writeFile(bytes);
        // Restore the permissions of others that the umask removed; the owner's are not affected.
        if ((mode & 0o077) !== 0) await handle.chmod(mode);
      } finally {
        await handle.close();
      }
    });
  },
  async sync(path) {
    const handle = await fs.open(nativePath(path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      await handle.sync();
    } catch (error) {
      // Some network file systems can't sync folders.
      if (errorCode(error) !== 'EINVAL' || !(await handle.stat()).isDirectory()) throw error;
    } finally {
      await handle.close();
    }
  },
  async copy(from, to, mode = 0o600, drafts) {
    await replace(to, drafts, async (draft) => {
      const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
      await fs.copyFile(nativePath(from), nativePath(draft), flags);
      await changeMode(nativePath(draft), mode);
    });
  },
  areEqual: (one, other) => areEqualFiles(nativePath(one), nativePath(other)),
  async link(target, path) {
    await fs.symlink(nativePath(target), nativePath(path));
  },
  async makeFolder(path) {
    await fs.mkdir(nativePath(path), { recursive: true, mode: 0o700 });
  },
  async setMode(path, mode) {
    await changeMode(nativePath(path), mode);
  },
  async rename(from, to) {
    await fs.rename(nativePath(from), nativePath(to));
  },
  async remove(path) {
    const stats = await fs.lstat(nativePath(path));
    await (stats.isDirectory() ? fs.rmdir(nativePath(path)) : fs.unlink(nativePath(path)));
  },
  async removeTree(path) {
    await fs.rm(nativePath(path), { recursive: true, force: true, maxRetries: 3 });
  },
  async realPath(path) {
    return pathFromBytes(await fs.realpath(nativePath(path), { encoding: 'buffer' }));
  },
};

/** @param make writes the draft, which then replaces the file */
async function replace(
  path: string,
  drafts: string | undefined,
  make: (draft: string) => Promise<void>,
): Promise<void> {
  // The draft's name does not contain the file's name, which may have the maximum length.
  const folder = drafts ?? path.slice(0, path.lastIndexOf('/'));
  const draft = `${folder}/.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await make(draft);
    await fs.rename(nativePath(draft), nativePath(path));
  } catch (error) {
    await fs.rm(nativePath(draft), { force: true });
    if (drafts === undefined || errorCode(error) !== 'EXDEV') throw error;
    await replace(path, undefined, make);
  }
}

/** Returns bytes if the path is not valid UTF-8. */
export function nativePath(path: string): string | Buffer {
  return hasEscapedBytes(path) ? Buffer.from(pathToBytes(path)) : path;
}

function kindOf(entry: BigIntStats | Dirent<Buffer>): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
