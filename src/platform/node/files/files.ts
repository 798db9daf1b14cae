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

/** Enough to keep the file system busy. */
const LOOKERS = 16;

/** Files of this machine; see the port for what it promises. */
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
    await inParallel([...paths.entries()], LOOKERS, async ([at, path]) => {
      try {
        found[at] = await nodeFiles.stat(path);
      } catch (error) {
        found[at] = (error as NodeJS.ErrnoException).code ?? 'EIO';
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
        // What the umask took away from others is wanted all the same; from the owner it takes nothing.
        if ((mode & 0o077) !== 0) await handle.chmod(mode);
      } finally {
        await handle.close();
      }
    });
  },
  async copy(from, to, mode = 0o600, drafts) {
    await replace(to, drafts, async (draft) => {
      const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
      await fs.copyFile(nativePath(from), nativePath(draft), flags);
      await fs.chmod(nativePath(draft), mode);
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
    await fs.chmod(nativePath(path), mode);
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

/** @param make writes the draft, which then takes the file's place */
async function replace(
  path: string,
  drafts: string | undefined,
  make: (draft: string) => Promise<void>,
): Promise<void> {
  // A name of its own: that of the file may be as long as names can be.
  const folder = drafts ?? path.slice(0, path.lastIndexOf('/'));
  const draft = `${folder}/.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await make(draft);
    await fs.rename(nativePath(draft), nativePath(path));
  } catch (error) {
    await fs.rm(nativePath(draft), { force: true });
    if (drafts === undefined || (error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await replace(path, undefined, make);
  }
}

/** Node takes bytes where text cannot name the file. */
export function nativePath(path: string): string | Buffer {
  return hasEscapedBytes(path) ? Buffer.from(pathToBytes(path)) : path;
}

function kindOf(entry: BigIntStats | Dirent<Buffer>): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
