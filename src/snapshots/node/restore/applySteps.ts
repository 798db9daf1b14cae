import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  applyRestore,
  type RestoreParts,
  type RestoreResult,
} from '../../common/restore/applyRestore.ts';
import type { RestoreStep } from '../../common/restore/restoreSteps.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';

/** Matches a folder for drafts. Its name ends with the process that owns it. */
const DRAFTS = /^\.ah-restoring\.[0-9a-f]+\.(\d+-[\w-]+)$/;

/**
 * Performs a restore. New files are written into a folder of the workspace that git ignores and
 * then moved into place: a killed restore leaves only that folder, which {@link
 * removeAbandonedDrafts} removes.
 */
export async function applySteps(
  steps: readonly RestoreStep[],
  parts: Omit<RestoreParts, 'files' | 'drafts'>,
): Promise<RestoreResult> {
  const folder = path.join(
    parts.workspace,
    `.ah-restoring.${randomBytes(4).toString('hex')}.${nodeProcesses.own}`,
  );
  try {
    const drafts = (await createDrafts(folder)) ? folder : undefined;
    return await applyRestore(steps, { ...parts, files: nodeFiles, drafts });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns false if the workspace is read-only; files in its subfolders may still be writable. */
async function createDrafts(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(path.join(folder, '.gitignore'), '*\n');
    return true;
  } catch {
    return false; // The workspace is read-only.
  }
}

/** Removes drafts that killed restores left in a workspace. */
export async function removeAbandonedDrafts(workspace: string): Promise<void> {
  // A workspace that can't be listed has no drafts.
  for (const name of await readdir(workspace).catch(() => [])) {
    const [, owner] = DRAFTS.exec(name) ?? [];
    if (owner === undefined || (await nodeProcesses.isAlive(owner))) continue;
    await rm(path.join(workspace, name), { recursive: true, force: true });
  }
}
