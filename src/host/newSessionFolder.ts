import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../base/errors.ts';
import { makePrivateFolder } from '../platform/node/paths.ts';
import { nodeProcesses } from '../platform/node/processes/processes.ts';
import { readSessionMeta } from '../sessions/node/sessionMeta.ts';

/** Says which process makes a session of the folder, until the session says so itself. */
const STARTING = 'starting';
/** A recorder that lives has put its name there by then. */
const START_GRACE_MS = 10_000;

/**
 * Makes the folder of a session, which is this recorder's own from then on: of several that are told to record the same session,
 * as a branch that is started twice, one does. @throws UserError for the others
 */
export async function makeSessionFolder(folder: string): Promise<void> {
  makePrivateFolder(path.dirname(folder));
  if (await isMade(folder)) return;
  if (await isLeftover(folder)) {
    await rm(folder, { recursive: true, force: true });
    if (await isMade(folder)) return;
  }
  throw new UserError('session-exists', 'The session has been started before.');
}

/** The session says itself what it is from now on. */
export function sessionIsMade(folder: string): Promise<void> {
  return rm(path.join(folder, STARTING), { force: true });
}

/** False when there is one. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(path.join(folder, STARTING), nodeProcesses.own);
    return true;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Of a recorder that was killed before it said anything. */
async function isLeftover(folder: string): Promise<boolean> {
  const isSession = await readSessionMeta(folder).then(
    () => true,
    (error: unknown) => !(error instanceof UserError) || error.code !== 'no-session',
  );
  if (isSession) return false;
  // It may wait for its terminal for long.
  const owner = await readFile(path.join(folder, STARTING), 'utf8').catch(() => '');
  // Where only its number is known, another process may have it by now.
  if (owner !== '' && !owner.endsWith('-unknown')) return !(await nodeProcesses.isAlive(owner));
  const { mtimeMs } = await stat(folder);
  return Date.now() - mtimeMs > START_GRACE_MS;
}
