import path from 'node:path';

/** The folder in a branch that corresponds to one of the original; the branch itself for one that was not in it. */
export function movedFolder(folder: string, from: string, to: string): string {
  const relative = path.relative(from, folder);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return to;
  return path.join(to, relative);
}

/** Ours in every branch. */
export const BRANCH_FOLDER = '.ah';

/** Whether a path of a workspace is no file of the user's: ours, or git's own. */
export function isOwnPath(relative: string): boolean {
  const parts = relative.split('/');
  return parts[0] === BRANCH_FOLDER || parts.includes('.git');
}
