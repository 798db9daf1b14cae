import { errorCode } from '../../../base/errors.ts';
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
import { BRANCH_FOLDER } from '../../../agents/node/continuation/ownFolder.ts';

/**
 * Writes `.ah/branch.json`, which describes the branch's origin. A `.gitignore` in `.ah` hides the
 * folder from git: `info/exclude` is no alternative, because a worktree shares it with the user's
 * repository.
 */
export function writeBranchFolder(record: BranchRecord): void {
  const folder = path.join(record.workspace, BRANCH_FOLDER);
  // The snapshot may contain anything at this path, even a link.
  if (!createFolder(folder) && !lstatSync(folder).isDirectory()) return;
  const { id, name, from, launch, message, createdAtNs } = record;
  const content = {
    version: 1,
    id,
    name,
    createdAtNs,
    fromSessionId: from.sessionId,
    fromTs: from.timeNs,
    fromByte: from.byte,
    fsSnapshotId: from.snapshotId,
    fromWorkspace: from.workspace,
    ...(launch && { method: launch.method, agentDetails: launch.details }),
    ...(message !== undefined && { message }),
  };
  const rule = path.join(folder, '.gitignore');
  if (!existsSync(rule)) replace(rule, '*\n');
  replace(path.join(folder, 'branch.json'), `${stringifyExactJson(content)}\n`);
}

/** Returns false when something exists at the path. */
function createFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file, but never through a link. */
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
    // A link or a folder of the user is in the way: leave it there.
    if (!['ELOOP', 'EISDIR', 'EMLINK'].includes(errorCode(error) ?? '')) throw error;
  }
}
