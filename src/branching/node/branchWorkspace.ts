import { lstatSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../common/branchRecord.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import { isThere } from './branchPlace.ts';

/** The folder in a branch that corresponds to one of the original; the branch itself for one that was not in it. */
export function movedFolder(folder: string, from: string, to: string): string {
  return isWithin(from, folder) ? path.join(to, path.relative(from, folder)) : to;
}

/**
 * @throws UserError unless the branch is complete, for what is not there yet would count as deleted, and it and what it came
 * from are where they were
 */
export function checkTakeable({ name, state, workspace, from }: BranchRecord): void {
  if (state !== 'ready') throw new UserError('not-ready', `The branch “${name}” is not complete.`);
  if (!isThere(workspace)) {
    throw new UserError(
      'branch-gone',
      `The folder of the branch, ${workspace}, is not there any more.`,
    );
  }
  if (!isThere(from.workspace)) {
    throw new UserError(
      'workspace-gone',
      `${from.workspace}, where the branch comes from, is not there any more. Say where it is now: ah agent branch take --moved-to FOLDER`,
    );
  }
}

/** Ours in every branch. */
export const BRANCH_FOLDER = '.ah';

/**
 * Whether our own folder can be written to. The files of a moment may hold anything, a link in its place too: nothing is
 * written through one.
 */
export function isOwnFolderFree(workspace: string): boolean {
  const own = path.join(workspace, BRANCH_FOLDER);
  for (const folder of [own, path.join(own, 'restore')]) {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}

/** Whether a path of a workspace is no file of the user's: ours, or git's own. */
export function isOwnPath(relative: string): boolean {
  const parts = relative.split('/');
  return parts[0] === BRANCH_FOLDER || parts.includes('.git');
}
