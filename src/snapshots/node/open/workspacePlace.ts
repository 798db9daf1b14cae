import path from 'node:path';
import { nodeFiles } from '../../../platform/node/files/files.ts';

/**
 * Resolves the symbolic links of a folder, so that one folder with several names has one place. For
 * a missing folder, the part that exists is resolved.
 */
export async function workspacePlace(folder: string): Promise<string> {
  try {
    return await nodeFiles.realPath(folder);
  } catch {
    // The folder is gone or not accessible.
    const parent = path.dirname(folder);
    return parent === folder
      ? folder
      : path.join(await workspacePlace(parent), path.basename(folder));
  }
}

/** Whether two paths lead to the same folder. */
export async function isSamePlace(folder: string, other: string): Promise<boolean> {
  return folder === other || (await workspacePlace(folder)) === (await workspacePlace(other));
}
