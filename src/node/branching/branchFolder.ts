import { constants } from 'node:fs';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringifyExactJson } from '../../base/exactJson.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import { BRANCH_FOLDER } from './branchWorkspace.ts';

/**
 * `.ah/branch.json`: says in the branch where it comes from. A rule of its own in that folder keeps it out of what git sees;
 * a working tree shares its `info/exclude` with the user's repository, which is not ours to write.
 */
export async function writeBranchFolder(record: BranchRecord): Promise<void> {
  const folder = path.join(record.workspace, BRANCH_FOLDER);
  // The files of a moment may hold anything, a link at this very place too.
  if (!(await isMade(folder)) && !(await lstat(folder)).isDirectory()) return;
  const { id, name, from, launch, message, createdAtNs } = record;
  const said = {
    ...{ version: 1, id, name, createdAtNs, fromSessionId: from.sessionId, fromTs: from.timeNs },
    ...{ fromByte: from.byte, fsSnapshotId: from.snapshotId, fromWorkspace: from.workspace },
    ...(launch && { method: launch.method, agentDetails: launch.details }),
    ...(message !== undefined && { message }),
  };
  await Promise.all([
    replace(path.join(folder, '.gitignore'), '*\n'),
    replace(path.join(folder, 'branch.json'), `${stringifyExactJson(said)}\n`),
  ]);
}

/** False when there is something. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Never through a link. */
async function replace(file: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  try {
    await writeFile(file, text, { mode: 0o600, flag: flags });
  } catch (error) {
    // A link, or a folder: not ours to replace.
    if (!['ELOOP', 'EISDIR', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}
