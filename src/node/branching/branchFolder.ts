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
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The files of a moment may hold anything, a link at this very place too.
  if (!(await lstat(folder)).isDirectory()) return;
  const { id, name, from, launch, message, createdAtNs } = record;
  const said = {
    ...{ version: 1, id, name, createdAtNs, fromSessionId: from.sessionId, fromTs: from.timeNs },
    ...{ fromByte: from.byte, fsSnapshotId: from.snapshotId, fromWorkspace: from.workspace },
    ...(launch && { method: launch.method, agentDetails: launch.details }),
    ...(message !== undefined && { message }),
  };
  await replace(path.join(folder, '.gitignore'), '*\n');
  await replace(path.join(folder, 'branch.json'), `${stringifyExactJson(said)}\n`);
}

/** Never through a link. */
async function replace(file: string, text: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found && !found.isFile()) return;
  await writeFile(file, text, { mode: 0o600 });
}
