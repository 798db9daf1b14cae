import { execFile } from 'node:child_process';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { PlaceRequest } from './placeSession.ts';

/** Its first start makes a database, and may look for a network. */
const TIMEOUT_MS = 90_000;
const LAST_CHARACTERS = 500;

/** Has opencode take the session into its database, and checks that it is there. */
export async function importIntoOpencode(request: PlaceRequest): Promise<() => Promise<void>> {
  const { session, lines, folder, files } = request;
  const file = path.join(folder, 'opencode-import.json');
  await files.create(file, lines.join('\n'));
  const undo = () => removeFromOpencode(request).catch(() => undefined);
  try {
    const said = await opencode(request, ['import', file]);
    if (!said.includes(session)) throw failure(said);
    return undo;
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Has opencode delete a session from its database. */
export async function removeFromOpencode({
  session,
  program,
  place,
}: Pick<PlaceRequest, 'session' | 'program' | 'place'>): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await opencode({ program, place, signal }, ['session', 'delete', session]);
}

function opencode(
  { program, place, signal }: Pick<PlaceRequest, 'program' | 'place' | 'signal'>,
  args: readonly string[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: place.cwd, env: { ...place.env }, signal, timeout: TIMEOUT_MS };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout + stderr);
      else if (signal.aborted) reject(signal.reason as Error);
      else reject(failure(`${stdout}${stderr}`, error));
    }).stdin?.end();
  });
}

function failure(said: string, cause?: unknown): UserError {
  const last = said.trim().slice(-LAST_CHARACTERS);
  return new UserError('import-failed', `opencode did not take the session: ${last}`, { cause });
}
