import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { applyRestore, type RestoreParts, type RestoreResult } from '../common/restore.ts';
import type { RestoreStep } from '../common/restoreSteps.ts';
import { nodeFiles } from '../../platform/node/files/files.ts';
import { nodeProcesses } from '../../platform/node/processes/processes.ts';

/** Whose it is comes last. */
const DRAFTS = /^\.ah-restoring\.[0-9a-f]+\.(\d+-[\w-]+)$/;

/**
 * Does the steps in the workspace. Files are made in a folder of it that git does not see, and then take their places: a kill
 * leaves nothing but that folder, which {@link removeAbandonedDrafts} knows.
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
    const drafts = (await isMade(folder)) ? folder : undefined;
    return await applyRestore(steps, { ...parts, files: nodeFiles, drafts });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** False where nothing may be made there; the files of folders below may be replaced all the same. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(path.join(folder, '.gitignore'), '*\n');
    return true;
  } catch {
    return false;
  }
}

/** Removes what was left in a workspace by those who were killed. */
export async function removeAbandonedDrafts(workspace: string): Promise<void> {
  for (const name of await readdir(workspace).catch(() => [])) {
    const [, owner] = DRAFTS.exec(name) ?? [];
    if (owner === undefined || (await nodeProcesses.isAlive(owner))) continue;
    await rm(path.join(workspace, name), { recursive: true, force: true });
  }
}
