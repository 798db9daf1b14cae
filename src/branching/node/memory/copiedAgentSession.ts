import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AgentPlace } from '../../../agents/common/adapter.ts';
import { messageOf } from '../../../base/errors.ts';
import type { CopiedAgentSession } from '../../common/branchRecord.ts';
import {
  isInOpencode,
  removeFromOpencode,
} from '../../../agents/node/continuation/opencodeImport.ts';
import { pathExists } from '../branchPlace.ts';
import { BRANCH_FOLDER } from '../../../agents/node/continuation/ownFolder.ts';

/**
 * A file that names the project of a folder. It stays as long as the folder contains other files.
 */
const OWNER_FILE = /^\.project_root$/;

/** The parts of a copied session that still exist: files, or a session in a database. */
export async function copiedSessionFiles(
  made: CopiedAgentSession,
  workspace: string,
): Promise<string[]> {
  if (made.agent !== 'opencode') return made.files.filter(pathExists);
  const isKept = await isInOpencode({ ...made, place: placeFor(workspace) });
  return isKept ? [`opencode session ${made.session}`] : [];
}

/**
 * Removes the copied agent session of a branch, with what the agent has added to that session, but
 * nothing else.
 * @returns warnings about what could not be removed
 */
export async function removeCopiedSession(
  made: CopiedAgentSession,
  workspace: string,
): Promise<string[]> {
  for (const folder of made.folders) {
    // A folder named after the session contains only files of that session.
    if (path.basename(folder) === made.session && (await isFolder(folder))) {
      await rm(folder, { recursive: true, force: true });
    }
  }
  for (const file of [...made.files].reverse()) {
    const hasMore = OWNER_FILE.test(path.basename(file)) && (await hasOthers(file));
    if (!hasMore) await rm(file, { force: true });
  }
  // `rmdir` fails for folders with other files, so those stay.
  for (const folder of [...made.folders].reverse()) await rmdir(folder).catch(() => undefined);
  return made.agent === 'opencode' ? removeFromDatabase(made, workspace) : [];
}

async function isFolder(folder: string): Promise<boolean> {
  // A folder that can't be read can't be removed either, and stays.
  return (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
}

async function hasOthers(file: string): Promise<boolean> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name === path.basename(file)) continue;
    // `rmdir` succeeds only for an empty folder, which does not count as another file.
    const isLeft = await rmdir(path.join(folder, name)).then(
      () => false,
      () => true,
    );
    if (isLeft) return true;
  }
  return false;
}

async function removeFromDatabase(made: CopiedAgentSession, workspace: string): Promise<string[]> {
  try {
    const own = path.join(workspace, BRANCH_FOLDER);
    const folder = pathExists(own) ? own : os.tmpdir();
    await removeFromOpencode({ ...made, place: placeFor(workspace), folder });
    return [];
  } catch (error) {
    return [
      `Can't delete opencode's session ${made.session}: ${messageOf(error)} To delete it: opencode session delete ${made.session}`,
    ];
  }
}

function placeFor(workspace: string): AgentPlace {
  const home = os.homedir();
  return { env: process.env, home, cwd: pathExists(workspace) ? workspace : home };
}
