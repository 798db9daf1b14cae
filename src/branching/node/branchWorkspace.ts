import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { BRANCH_FOLDER } from '../../agents/node/continuation/ownFolder.ts';
import type { BranchRecord } from '../common/branchRecord.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import { pathExists } from './branchPlace.ts';

/**
 * Maps a folder in the original workspace to the branch; for any other folder, returns the branch's
 * workspace.
 */
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

/** Whether a path belongs to AH or git rather than to the user. */
export function isAhOrGitPath(relative: string): boolean {
  const parts = relative.split('/');
  return parts[0] === BRANCH_FOLDER || parts.includes('.git');
}
