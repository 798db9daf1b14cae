import type { Files, FileStat } from '../common/ports.ts';
import { errorCode } from './errorCode.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';

/** So many paths are looked at together: mostly it is the disk that is waited for. */
export const LOOKERS = 8;

/** Undefined for what is not there. */
export async function statIfThere(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The folder itself or, when it is gone, the nearest one around it that is not. */
export async function nearestFolder(files: Files, path: string): Promise<string> {
  if (path === '/' || (await statIfThere(files, path))?.kind === 'folder') return path;
  return nearestFolder(files, parentOf(path));
}

/**
 * What is at a path below a root, undefined for what is not there. Goes down step by step: a symbolic link on the way would lead
 * to another file, maybe out of the root.
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

/** The names of the folders in a folder; none when it is not there. */
export async function folderNames(files: Files, path: string): Promise<string[]> {
  try {
    const entries = await files.list(path);
    return entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
