import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, UserError } from '../base/errors.ts';
import { makePrivateFolder } from '../platform/node/paths.ts';
import { nodeProcesses } from '../platform/node/processes/processes.ts';
import { readSessionMeta } from '../sessions/node/sessionMeta.ts';

/** File that names the process which claimed the folder, until the session's metadata exists. */
const CLAIM_FILE = 'starting';
/** A running recorder has written its claim within this time. */
const START_GRACE_MS = 10_000;

/**
 * Creates the folder of a session for this recorder alone. When several recorders are started for
 * the same session, such as a branch started twice, one succeeds.
 * @throws UserError `session-exists` in the others
 */
export async function claimSessionFolder(folder: string): Promise<void> {
  makePrivateFolder(path.dirname(folder));
  if (await createClaimed(folder)) return;
  if (await isLeftover(folder)) {
    await rm(folder, { recursive: true, force: true });
    if (await createClaimed(folder)) return;
  }
  throw new UserError('session-exists', "Can't start the session: it has been started before.");
}

/** Call once the session's metadata is on disk: it identifies the folder from then on. */
export function removeClaim(folder: string): Promise<void> {
  return rm(path.join(folder, CLAIM_FILE), { force: true });
}

/** Returns false when the folder exists already. */
async function createClaimed(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(path.join(folder, CLAIM_FILE), nodeProcesses.own);
    return true;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Whether the folder is left over from a recorder that was killed before it wrote the metadata. */
async function isLeftover(folder: string): Promise<boolean> {
  const isSession = await readSessionMeta(folder).then(
    () => true,
    (error: unknown) => !(error instanceof UserError) || error.code !== 'no-session',
  );
  if (isSession) return false;
  // A recorder may wait a long time for its terminal, so a living one keeps its claim.
  const file = path.join(folder, CLAIM_FILE);
  const owner = await readFile(file, 'utf8').catch(() => ''); // Not written yet.
  // Without the start time, the process ID may belong to another process by now.
  if (owner !== '' && !owner.endsWith('-unknown')) return !(await nodeProcesses.isAlive(owner));
  const { mtimeMs } = await stat(folder);
  return Date.now() - mtimeMs > START_GRACE_MS;
}
