import { lstatSync } from 'node:fs';
import path from 'node:path';

/** AH's own folder in every branch. */
export const BRANCH_FOLDER = '.ah';

/**
 * Whether `.ah` can be written to. A snapshot may have anything at this path, even a link, and
 * nothing may be written through a link.
 */
export function isBranchFolderWritable(workspace: string): boolean {
  const own = path.join(workspace, BRANCH_FOLDER);
  for (const folder of [own, path.join(own, 'restore')]) {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}
