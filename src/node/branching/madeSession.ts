import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { MadeSession } from '../../branching/branchRecord.ts';
import { removeFromOpencode } from '../agents/opencodeImport.ts';
import { isThere } from './branchPlace.ts';

/** Says whose a folder is: it stays for as long as there is something else in it. */
const OWNER_FILE = /^\.project_root$/;

/** What there is of it, by what names it: files, or a session in a database. */
export function whatAgentHas({ agent, session, files }: MadeSession): string[] {
  return agent === 'opencode' ? [`opencode session ${session}`] : files.filter(isThere);
}

/**
 * Takes away the session of the agent's own that was made for a branch, and nothing else: files and folders that are ours, and
 * what the agent wrote down of this very session.
 * @returns sentences about what had to stay
 */
export async function removeMadeSession(made: MadeSession, workspace: string): Promise<string[]> {
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

async function removeFromDatabase(made: MadeSession, workspace: string): Promise<string[]> {
  const home = os.homedir();
  const place = { env: process.env, home, cwd: isThere(workspace) ? workspace : home };
  try {
    await removeFromOpencode({ ...made, place });
    return [];
  } catch (error) {
    return [
      `opencode keeps its session ${made.session}: ${messageOf(error)} To delete it: opencode session delete ${made.session}`,
    ];
  }
}
