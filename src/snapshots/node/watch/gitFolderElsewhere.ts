import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { workspaceOf } from '../open/workspaceOf.ts';

/**
 * The git folder (with HEAD) of a workspace's repository when it is not the workspace's own `.git`:
 * the workspace is a worktree, or a folder inside of a repository. Undefined otherwise.
 */
export function gitFolderElsewhere(workspace: string): string | undefined {
  const top = workspaceOf(workspace);
  const mark = path.join(top, '.git');
  const found = lstatSync(mark, { throwIfNoEntry: false });
  if (found?.isDirectory()) return top === workspace ? undefined : mark;
  if (found?.isSymbolicLink()) return realpathSync(mark);
  if (!found?.isFile()) return undefined;
  const [, place] = /^gitdir: (.*?)\s*$/.exec(readFileSync(mark, 'utf8')) ?? [];
  return place === undefined ? undefined : path.resolve(top, place);
}
