import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { opencode as adapter } from '../../adapters/opencode.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { runToEnd } from '../../../platform/node/processes/runToEnd.ts';
import { rowsOfSessions } from '../capture/databaseTail.ts';
import type { ImportRequest } from './sessionPlacer.ts';

/**
 * Long enough for opencode's first start, which creates a database and may try to reach the
 * network.
 */
const TIMEOUT_MS = 90_000;
const LAST_CHARACTERS = 500;

type Call = Pick<ImportRequest, 'program' | 'place' | 'folder'>;
type Removal = Call & Pick<ImportRequest, 'session'>;

/** Imports the session into opencode's database. A failed import may leave parts of it. */
export async function importIntoOpencode(request: ImportRequest): Promise<void> {
  const { session, lines, folder, files, signal } = request;
  const file = path.join(folder, 'opencode-import.json');
  await files.create(file, lines.join('\n'));
  signal.throwIfAborted();
  // The import is not cancelled once it runs: processes that it started could still write to the
  // database after undo has checked it.
  const output = await opencode(request, ['import', file], 'import the session');
  if (!output.includes(session)) throw failure('import the session', output);
}

/** Whether the database has any part of a session, or can't be read. */
export async function isInOpencode({
  session,
  place,
}: Pick<ImportRequest, 'session' | 'place'>): Promise<boolean> {
  const where = adapter.transcripts(place);
  if (where.kind !== 'sqlite' || !existsSync(where.file)) return false;
  // An unreadable database may have the session.
  const rows = await rowsOfSessions(where.file, [session]).catch(() => undefined);
  return rows === undefined || rows.length > 0;
}

/**
 * Deletes a session from opencode's database, if any part of it is there.
 * @throws UserError when the session remains
 */
export async function removeFromOpencode({ session, ...call }: Removal): Promise<void> {
  const isThere = () => isInOpencode({ session, place: call.place });
  if (!(await isThere())) return;
  try {
    await opencode(call, ['session', 'delete', session], `delete the session ${session}`);
  } catch (error) {
    // If the database was unreadable before, it may have no part of the session after all.
    if (await isThere()) throw error;
  }
}

/** @param task what opencode is asked to do, for error messages */
async function opencode(
  { program, place, folder }: Call,
  args: readonly string[],
  task: string,
): Promise<string> {
  // Unique, since another import may run in the same folder.
  const own = path.join(folder, `opencode-${process.pid}-${Date.now()}`);
  const env = { ...place.env, ...databaseOnlyEnv(own) };
  try {
    const run = await runToEnd(program, args, { cwd: place.cwd, env, timeoutMs: TIMEOUT_MS });
    if (run.exitCode !== 0) throw failure(task, run.output);
    return run.output;
  } catch (error) {
    throw error instanceof UserError ? error : failure(task, messageOf(error), error);
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * At each start opencode installs packages beside its settings, under a lock in its state folder.
 * If opencode ends before that is done, the lock remains and the next start waits for a minute.
 * Empty folders for settings and state avoid that, and keep the user's plugins from running;
 * sessions are stored elsewhere.
 */
function databaseOnlyEnv(own: string): Record<string, string | undefined> {
  return {
    XDG_CONFIG_HOME: path.join(own, 'config'),
    XDG_STATE_HOME: path.join(own, 'state'),
    OPENCODE_CONFIG: undefined,
    OPENCODE_CONFIG_DIR: undefined,
    OPENCODE_CONFIG_CONTENT: undefined,
    OPENCODE_PURE: '1',
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    npm_config_offline: 'true',
  };
}

function failure(task: string, output: string, cause?: unknown): UserError {
  const last = output.trim().slice(-LAST_CHARACTERS);
  return new UserError('import-failed', `opencode couldn't ${task}: ${last}`, { cause });
}
