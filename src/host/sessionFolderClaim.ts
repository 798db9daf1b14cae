import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, UserError } from '../base/errors.ts';
import { makePrivateFolder } from '../platform/node/paths.ts';
import { nodeProcesses } from '../platform/node/processes/processes.ts';
import { readSessionMeta } from '../sessions/node/sessionMeta.ts';

/** File that names the process that claimed the folder. It exists until the metadata is written. */
const CLAIM_FILE = 'starting';
/** A recorder writes its claim within this time; after that, a folder without one is a leftover. */
const START_GRACE_MS = 10_000;

/**
 * Creates the folder of a session for this recorder alone. When several recorders are started for
 * the same session, such as a branch started twice, only one succeeds.
 * @throws UserError `session-exists` in the other recorders
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
  // A recorder may wait a long time for its terminal, so its claim is valid as long as it runs.
  const file = path.join(folder, CLAIM_FILE);
  const owner = await readFile(file, 'utf8').catch(() => ''); // The claim is not written yet.
  // An owner without a start time proves nothing: its process ID may have been reused by now.
  if (owner !== '' && !owner.endsWith('-unknown')) return !(await nodeProcesses.isAlive(owner));
  const { mtimeMs } = await stat(folder);
  return Date.now() - mtimeMs > START_GRACE_MS;
}
