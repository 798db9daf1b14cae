import { errorCode } from '../../base/errors.ts';
import type { Files, FileStat } from './ports.ts';
import { joinPath, parentOf } from './posixPath.ts';

/** How many paths to look at in parallel: most of the time is spent waiting for the disk. */
export const STAT_CONCURRENCY = 8;

/** Returns undefined if the path does not exist. */
export async function statIfThere(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns the folder itself or, if it is gone, its nearest existing parent. */
export async function nearestFolder(files: Files, path: string): Promise<string> {
  if (path === '/' || (await statIfThere(files, path))?.kind === 'folder') return path;
  return nearestFolder(files, parentOf(path));
}

/**
 * Looks at a path below a root; undefined if it does not exist. Checks each parent, because a
 * symbolic link on the way could lead out of the root.
 */
export async function statBelow(
  files: Files,
  root: string,
  path: string,
): Promise<FileStat | undefined> {
  let stat = await statIfThere(files, root);
  const names = path === '' ? [] : path.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    if (stat?.kind !== 'folder') return undefined;
    stat = await statIfThere(files, joinPath(root, names.slice(0, depth).join('/')));
  }
  return stat;
}

/** Lists the names of subfolders; empty if the folder does not exist. */
export async function folderNames(files: Files, path: string): Promise<string[]> {
  try {
    const entries = await files.list(path);
    return entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
