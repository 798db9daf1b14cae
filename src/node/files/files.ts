import { randomBytes } from 'node:crypto';
import type { BigIntStats, Dirent } from 'node:fs';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { FileKind, Files, FileStat } from '../../snapshots/ports.ts';
import { hasEscapedBytes, pathFromBytes, pathToBytes } from '../../snapshots/pathBytes.ts';

/** Files of this machine; see the port for what it promises. */
export const nodeFiles: Files = {
  async stat(path): Promise<FileStat> {
    const stats = await fs.lstat(native(path), { bigint: true });
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
  async list(folder) {
    const entries = await fs.readdir(native(folder), { withFileTypes: true, encoding: 'buffer' });
    return entries.map((entry) => ({ name: pathFromBytes(entry.name), kind: kindOf(entry) }));
  },
  async read(path) {
    // A link that took the file's place must not lead elsewhere, and a pipe must not make us wait.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await fs.open(native(path), flags);
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  },
  async canRead(path) {
    try {
      await fs.access(native(path), constants.R_OK);
      return true;
    } catch {
      return false;
    }
  },
  async readLink(path) {
    return pathFromBytes(await fs.readlink(native(path), { encoding: 'buffer' }));
  },
  async write(path, bytes, mode = 0o600, drafts) {
    const temporary = `${drafts ? `${drafts}/` : `${path}.`}${randomBytes(6).toString('hex')}.tmp`;
    try {
      const handle = await fs.open(native(temporary), 'wx', mode);
      try {
        await handle.writeFile(bytes);
        // What the umask took away is wanted all the same.
        if (mode !== 0o600) await handle.chmod(mode);
      } finally {
        await handle.close();
      }
      await fs.rename(native(temporary), native(path));
    } catch (error) {
      await fs.rm(native(temporary), { force: true });
      throw error;
    }
  },
  async link(target, path) {
    await fs.symlink(native(target), native(path));
  },
  async makeFolder(path) {
    await fs.mkdir(native(path), { recursive: true, mode: 0o700 });
  },
  async setMode(path, mode) {
    await fs.chmod(native(path), mode);
  },
  async rename(from, to) {
    await fs.rename(native(from), native(to));
  },
  async remove(path) {
    const stats = await fs.lstat(native(path));
    await (stats.isDirectory() ? fs.rmdir(native(path)) : fs.unlink(native(path)));
  },
  async removeTree(path) {
    await fs.rm(native(path), { recursive: true, force: true, maxRetries: 3 });
  },
  async realPath(path) {
    return pathFromBytes(await fs.realpath(native(path), { encoding: 'buffer' }));
  },
};

/** Node takes bytes where text cannot name the file. */
function native(path: string): string | Buffer {
  return hasEscapedBytes(path) ? Buffer.from(pathToBytes(path)) : path;
}

function kindOf(entry: BigIntStats | Dirent<Buffer>): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
