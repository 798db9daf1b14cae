import { lstat, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../files/isWithin.ts';

/**
 * A copy of a folder whose `.git` is a file that leads elsewhere would share HEAD and index with the original: what git does in
 * the branch would happen there. It is let go, and that is said.
 * @returns sentences
 */
export async function separateRepository(
  workspace: string,
  destination: string,
): Promise<string[]> {
  const file = path.join(workspace, '.git');
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return [];
  const said = /^gitdir: (.*)$/m.exec(await readFile(file, 'utf8'))?.[1];
  const target = said === undefined ? undefined : path.resolve(workspace, said);
  if (target === undefined || (await belongsTo(target, file, destination))) return [];
  await rm(file);
  return [
    'The branch has the files, but is no git working tree: the repository of this folder is elsewhere, and was not kept with it.',
  ];
}

/** Made for this working tree alone, as that of a branch is; or a part of the copy. */
async function belongsTo(gitDir: string, file: string, destination: string): Promise<boolean> {
  const back = await readFile(path.join(gitDir, 'gitdir'), 'utf8').catch(() => undefined);
  if (back !== undefined) return (await real(back.trim())) === (await real(file));
  return isWithin(await real(destination), await real(gitDir));
}

function real(file: string): Promise<string> {
  return realpath(file).catch(() => path.resolve(file));
}
