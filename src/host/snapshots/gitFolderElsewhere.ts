import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { workspaceOf } from '../../snapshots/node/workspaceOf.ts';

/**
 * The folder with HEAD of the repository that a workspace is in, when it is not the workspace's own `.git`: of a working tree of
 * another repository, as branches are, and of a folder within one. Nothing when there is none.
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
