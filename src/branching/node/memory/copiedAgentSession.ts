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
import { isThere } from '../branchPlace.ts';
import { BRANCH_FOLDER } from '../branchWorkspace.ts';

/** Says whose a folder is: it stays for as long as there is something else in it. */
const OWNER_FILE = /^\.project_root$/;

/** What there is of it, by what names it: files, or a session in a database. */
export async function listCopiedSession(
  made: CopiedAgentSession,
  workspace: string,
): Promise<string[]> {
  if (made.agent !== 'opencode') return made.files.filter(isThere);
  const isKept = await isInOpencode({ ...made, place: placeFor(workspace) });
  return isKept ? [`opencode session ${made.session}`] : [];
}

/**
 * Takes away the session of the agent's own that was made for a branch, and nothing else: files and folders that are ours, and
 * what the agent wrote down of this very session.
 * @returns sentences about what had to stay
 */
export async function removeCopiedSession(
  made: CopiedAgentSession,
  workspace: string,
): Promise<string[]> {
  for (const folder of made.folders) {
    // All that is in a folder that bears the session's name is the session's.
    if (path.basename(folder) === made.session && (await isFolder(folder))) {
      await rm(folder, { recursive: true, force: true });
    }
  }
  for (const file of [...made.files].reverse()) {
    const hasMore = OWNER_FILE.test(path.basename(file)) && (await hasOthers(file));
    if (!hasMore) await rm(file, { force: true });
  }
  for (const folder of [...made.folders].reverse()) await rmdir(folder).catch(() => undefined);
  return made.agent === 'opencode' ? removeFromDatabase(made, workspace) : [];
}

async function isFolder(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
}

async function hasOthers(file: string): Promise<boolean> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    // An empty folder is nothing.
    if (name === path.basename(file)) continue;
    const left = await rmdir(path.join(folder, name)).then(
      () => false,
      () => true,
    );
    if (left) return true;
  }
  return false;
}

async function removeFromDatabase(made: CopiedAgentSession, workspace: string): Promise<string[]> {
  try {
    const own = path.join(workspace, BRANCH_FOLDER);
    const folder = isThere(own) ? own : os.tmpdir();
    await removeFromOpencode({ ...made, place: placeFor(workspace), folder });
    return [];
  } catch (error) {
    return [
      `opencode keeps its session ${made.session}: ${messageOf(error)} To delete it: opencode session delete ${made.session}`,
    ];
  }
}

function placeFor(workspace: string): AgentPlace {
  const home = os.homedir();
  return { env: process.env, home, cwd: isThere(workspace) ? workspace : home };
}
