import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, UserError } from '../../../base/errors.ts';
import { pathExists } from '../branchPlace.ts';

/**
 * How long to wait for `git` or `cp` to end after the process that started them was killed, and for
 * slow disks.
 */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;
const BUSY = ['ENOTEMPTY', 'EBUSY'];

/**
 * Removes a folder to which a process may still write. @throws UserError when the process does not
 * stop in time
 */
export async function removeBusyFolder(
  folder: string,
  remove: () => Promise<void>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadlineMs = Date.now() + patienceMs;
  for (;;) {
    try {
      return await remove();
    } catch (error) {
      if (!BUSY.includes(errorCode(error) ?? '')) throw error;
      if (Date.now() >= deadlineMs) {
        const text = `Can't remove ${folder}: another process uses it. Try again in a moment.`;
        throw new UserError('folder-busy', text, { cause: error });
      }
    }
    await delay(PAUSE_MS);
  }
}

/**
 * Removes a folder again if it reappears, because a child of a killed process may still write to
 * it. Returns once the folder is missing.
 */
export async function keepRemoved(folder: string, patienceMs = PATIENCE_MS): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += PAUSE_MS) {
    await delay(PAUSE_MS);
    if (!pathExists(folder)) return;
    await removeBusyFolder(folder, () => rm(folder, { recursive: true, force: true }), patienceMs);
  }
}
