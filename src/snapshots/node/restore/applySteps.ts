import { mkdir } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  applyRestore,
  type RestoreParts,
  type RestoreResult,
} from '../../common/restore/applyRestore.ts';
import type { Files } from '../../common/ports.ts';
import type { RestoreStep } from '../../common/restore/restoreSteps.ts';
import { FilesInside } from '../../../platform/node/files/filesInside.ts';
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
  const name = `.ah-restoring.${randomBytes(4).toString('hex')}.${nodeProcesses.own}`;
  const folder = path.join(parts.workspace, name);
  // The user may have deleted the workspace since the restore was planned.
  await mkdir(parts.workspace, { recursive: true });
  const files = await FilesInside.open(parts.workspace);
  try {
    const drafts = (await createDrafts(files, folder)) ? folder : undefined;
    return await applyRestore(steps, { ...parts, files, drafts });
  } finally {
    await files.removeTree(folder).finally(() => files.close());
  }
}

/** Returns false if the workspace is read-only; files in its subfolders may still be writable. */
async function createDrafts(files: Files, folder: string): Promise<boolean> {
  try {
    await files.makeFolder(folder);
    await files.write(path.join(folder, '.gitignore'), new TextEncoder().encode('*\n'), 0o644);
    return true;
  } catch {
    return false; // The workspace is read-only.
  }
}

/** Removes drafts that killed restores left in a workspace. */
export async function removeAbandonedDrafts(workspace: string): Promise<void> {
  const files = await FilesInside.open(workspace).catch(() => undefined); // It does not exist.
  try {
    // A workspace that can't be listed has no drafts.
    for (const { name } of (await files?.list(workspace).catch(() => [])) ?? []) {
      const [, owner] = DRAFTS.exec(name) ?? [];
      if (owner === undefined || (await nodeProcesses.isAlive(owner))) continue;
      await files?.removeTree(path.join(workspace, name));
    }
  } finally {
    await files?.close();
  }
}
