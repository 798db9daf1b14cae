import { errorCode } from '../volume/errorCode.ts';
import { joinPath } from '../volume/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';
import { inParallel } from './inParallel.ts';

/** Enough to keep the file system busy. */
const WORKERS = 16;

/** What git does not tell about the folders of a working tree. Paths are relative to its root. */
export interface WalkResult {
  /** Folders with a `.git` of their own; nothing below them was looked at. */
  readonly nested: string[];
  /** Sockets, pipes, devices. */
  readonly special: string[];
  readonly unreadable: string[];
}

/** @param skipped folders not to look into, which are ignored */
export async function walkFolders(
  { files }: GitPorts,
  root: string,
  start: string,
  skipped: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<WalkResult> {
  const result: WalkResult = { nested: [], special: [], unreadable: [] };
  const waiting = [start];
  const visit = async (folder: string): Promise<void> => {
    let entries;
    try {
      entries = await files.list(joinPath(root, folder));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EACCES' || code === 'EPERM' || code === 'EIO') result.unreadable.push(folder);
      else if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
      return;
    }
    if (folder !== start && entries.some(({ name }) => name === '.git')) {
      result.nested.push(folder);
      return;
    }
    for (const { name, kind } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'other') result.special.push(path);
      else if (kind === 'folder' && name !== '.git' && !skipped.has(path)) waiting.push(path);
    }
  };
  while (waiting.length > 0) {
    signal.throwIfAborted();
    await inParallel(waiting.splice(0), WORKERS, visit);
  }
  return result;
}
