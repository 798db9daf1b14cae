import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { restoreFolder } from '../../../agents/node/continuation/prepareContinuation.ts';
import {
  BRANCH_FOLDER,
  isBranchFolderWritable,
} from '../../../agents/node/continuation/ownFolder.ts';

/** Content of the `.gitignore` that hides `.ah` from git. */
const RULE = '*\n';

/**
 * Removes the files of the agent's memory from the original folder when an in-place branch is
 * removed, and `.ah` as well if it contains nothing else.
 */
export async function removeRestoredMemory({ made, workspace }: BranchRecord): Promise<void> {
  if (!made || made.session !== path.basename(made.session)) return;
  // If `.ah` is a link, it leads to files of the user.
  if (!isBranchFolderWritable(workspace)) return;
  const folder = restoreFolder(workspace, made.session);
  const found = await lstat(folder).catch(() => undefined); // Nothing was written.
  if (!found?.isDirectory()) return;
  await rm(folder, { recursive: true, force: true });
  await rmdir(path.dirname(folder)).catch(() => undefined); // Other branches have files there.
  const own = path.join(workspace, BRANCH_FOLDER);
  const rule = path.join(own, '.gitignore');
  const [name, ...others] = await readdir(own);
  const isOurs = name === '.gitignore' && (await readFile(rule, 'utf8')) === RULE;
  if (!isOurs || others.length > 0) return;
  await rm(rule);
  await rmdir(own);
}
