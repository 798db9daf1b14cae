import path from 'node:path';
import { nodeFiles } from '../../platform/node/files/files.ts';

/**
 * Where a folder really is: one that is reached through a link has several names, and its snapshots are the same. One that is
 * gone is where the folder around it is.
 */
export async function workspacePlace(folder: string): Promise<string> {
  try {
    return await nodeFiles.realPath(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder
      ? folder
      : path.join(await workspacePlace(parent), path.basename(folder));
  }
}

/** Whether two names mean the same folder. */
export async function isSamePlace(folder: string, other: string): Promise<boolean> {
  return folder === other || (await workspacePlace(folder)) === (await workspacePlace(other));
}
