import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { stringifyExactJson } from '../../../base/exactJson.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import { BRANCH_FOLDER } from '../branchWorkspace.ts';

/**
 * `.ah/branch.json`: says in the branch where it comes from. A rule of its own in that folder keeps it out of what git sees;
 * a working tree shares its `info/exclude` with the user's repository, which is not ours to write.
 */
export function writeBranchFolder(record: BranchRecord): void {
  const folder = path.join(record.workspace, BRANCH_FOLDER);
  // The files of a moment may hold anything, a link at this very place too.
  if (!isMade(folder) && !lstatSync(folder).isDirectory()) return;
  const { id, name, from, launch, message, createdAtNs } = record;
  const said = {
    ...{ version: 1, id, name, createdAtNs, fromSessionId: from.sessionId, fromTs: from.timeNs },
    ...{ fromByte: from.byte, fsSnapshotId: from.snapshotId, fromWorkspace: from.workspace },
    ...(launch && { method: launch.method, agentDetails: launch.details }),
    ...(message !== undefined && { message }),
  };
  const rule = path.join(folder, '.gitignore');
  if (!existsSync(rule)) replace(rule, '*\n');
  replace(path.join(folder, 'branch.json'), `${stringifyExactJson(said)}\n`);
}

/** False when there is something. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Never through a link. */
function replace(file: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  try {
    const descriptor = openSync(file, flags, 0o600);
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // A link, or a folder: not ours to replace.
    if (!['ELOOP', 'EISDIR', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}
