import { lstatSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../common/branchRecord.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import { pathExists } from './branchPlace.ts';

/** Maps a folder of the original to the branch; a folder elsewhere becomes the workspace. */
export function movedFolder(folder: string, from: string, to: string): string {
  return isWithin(from, folder) ? path.join(to, path.relative(from, folder)) : to;
}

/**
 * Checks that a branch can be compared with its original. In an incomplete branch, missing files
 * would look deleted.
 * @throws UserError when the branch is incomplete, or its folder or the original folder is missing
 */
export function checkComparable({ name, state, workspace, from }: BranchRecord): void {
  if (state !== 'ready')
    throw new UserError('not-ready', `Can't use the branch “${name}”: it is not complete.`);
  if (!pathExists(workspace)) {
    throw new UserError('branch-gone', `The branch's folder ${workspace} does not exist any more.`);
  }
  if (!pathExists(from.workspace)) {
    throw new UserError(
      'workspace-gone',
      `The original folder ${from.workspace} does not exist any more. If it was moved: ah agent branch apply --moved-to FOLDER`,
    );
  }
}

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

/** Whether a path belongs to AH or git rather than to the user. */
export function isAhOrGitPath(relative: string): boolean {
  const parts = relative.split('/');
  return parts[0] === BRANCH_FOLDER || parts.includes('.git');
}
