import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { restoreFolder } from '../../../agents/node/continuation/prepareContinuation.ts';
import { BRANCH_FOLDER, isOwnFolderFree } from '../branchWorkspace.ts';

/** What hides our folder from git, as we write it. */
const RULE = '*\n';

/**
 * Takes what the agent's memory was made of out of a folder that stays when its branch goes, and our own folder with it, unless
 * it holds something else.
 */
export async function removeRestored({ made, workspace }: BranchRecord): Promise<void> {
  if (!made || made.session !== path.basename(made.session)) return;
  // A link in its place leads to what is none of ours.
  if (!isOwnFolderFree(workspace)) return;
  const folder = restoreFolder(workspace, made.session);
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return;
  await rm(folder, { recursive: true, force: true });
  await rmdir(path.dirname(folder)).catch(() => undefined);
  const own = path.join(workspace, BRANCH_FOLDER);
  const rule = path.join(own, '.gitignore');
  const [name, ...others] = await readdir(own);
  const isOurs = name === '.gitignore' && (await readFile(rule, 'utf8')) === RULE;
  if (!isOurs || others.length > 0) return;
  await rm(rule);
  await rmdir(own);
}
