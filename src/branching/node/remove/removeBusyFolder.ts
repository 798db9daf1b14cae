import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../../base/errors.ts';
import { isThere } from '../branchPlace.ts';

/** What a killed process started, as git or cp, is done by then; a disk that is slow to let go is, too. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;
const BUSY = ['ENOTEMPTY', 'EBUSY'];

/** Removes a folder that somebody may still be writing to, for a moment. @throws UserError when they go on */
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
      if (!BUSY.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      if (Date.now() >= deadlineMs) {
        const text = `${folder} is in use, or is being written to, and cannot be removed yet. Try again in a moment.`;
        throw new UserError('folder-busy', text, { cause: error });
      }
    }
    await delay(PAUSE_MS);
  }
}

/**
 * For a folder that was just removed: what a killed process started may make it anew, with nothing of the user's in it. Returns
 * when it stays away.
 */
export async function keepAway(folder: string, patienceMs = PATIENCE_MS): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += PAUSE_MS) {
    await delay(PAUSE_MS);
    if (!isThere(folder)) return;
    await removeBusyFolder(folder, () => rm(folder, { recursive: true, force: true }), patienceMs);
  }
}
