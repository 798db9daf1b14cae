import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { opencode as adapter } from '../../adapters/opencode.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { runToEnd } from '../../../platform/node/processes/runToEnd.ts';
import { rowsOfSessions } from '../capture/databaseTail.ts';
import type { ImportRequest } from './placeSession.ts';

/** Its first start makes a database, and may look for a network. */
const TIMEOUT_MS = 90_000;
const LAST_CHARACTERS = 500;

type Call = Pick<ImportRequest, 'program' | 'place' | 'folder'>;
type Removal = Call & Pick<ImportRequest, 'session'>;

/** Has opencode take the session into its database, and checks that it is there. Whatever becomes of it, some of it may be. */
export async function importIntoOpencode(request: ImportRequest): Promise<void> {
  const { session, lines, folder, files, signal } = request;
  const file = path.join(folder, 'opencode-import.json');
  await files.create(file, lines.join('\n'));
  signal.throwIfAborted();
  // Not cancelled once it has begun: what it has started may go on without it, and be done after we have looked.
  const said = await opencode(request, ['import', file], 'take the session');
  if (!said.includes(session)) throw failure('take the session', said);
}

/** Whether there is anything of a session; also when that cannot be said. */
export async function isInOpencode({
  session,
  place,
}: Pick<ImportRequest, 'session' | 'place'>): Promise<boolean> {
  const where = adapter.transcripts(place);
  if (where.kind !== 'sqlite' || !existsSync(where.file)) return false;
  const rows = await rowsOfSessions(where.file, [session]).catch(() => undefined);
  return rows === undefined || rows.length > 0;
}

/**
 * Has opencode delete a session from its database, if it is there: a kill may have come before.
 * @throws UserError when it stays
 */
export async function removeFromOpencode({ session, ...call }: Removal): Promise<void> {
  const isThere = () => isInOpencode({ session, place: call.place });
  if (!(await isThere())) return;
  try {
    await opencode(call, ['session', 'delete', session], `delete the session ${session}`);
  } catch (error) {
    // A database that could not be read may have had nothing of it.
    if (await isThere()) throw error;
  }
}

/** @param what it is to do, in words */
async function opencode(
  { program, place, folder }: Call,
  args: readonly string[],
  what: string,
): Promise<string> {
  // Another one of ours may be at work in the same folder.
  const own = path.join(folder, `opencode-${process.pid}-${Date.now()}`);
  const env = { ...place.env, ...databaseAlone(own) };
  try {
    const run = await runToEnd(program, args, { cwd: place.cwd, env, timeoutMs: TIMEOUT_MS });
    if (run.exitCode !== 0) throw failure(what, run.said);
    return run.said;
  } catch (error) {
    throw error instanceof UserError ? error : failure(what, messageOf(error), error);
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Whenever it starts it begins to install packages beside its settings, under a lock in its state, and leaves that lock behind
 * when it ends before: its next start, that of the agent, then waits for a minute. Settings and state are no part of a session;
 * it gets empty ones, and nothing of the user's, plugins included, is run.
 */
function databaseAlone(own: string): Record<string, string | undefined> {
  return {
    ...{ XDG_CONFIG_HOME: path.join(own, 'config'), XDG_STATE_HOME: path.join(own, 'state') },
    ...{ OPENCODE_CONFIG: undefined, OPENCODE_CONFIG_DIR: undefined },
    ...{ OPENCODE_CONFIG_CONTENT: undefined, OPENCODE_PURE: '1' },
    ...{ OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' },
    ...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', npm_config_offline: 'true' },
  };
}

function failure(what: string, said: string, cause?: unknown): UserError {
  const last = said.trim().slice(-LAST_CHARACTERS);
  return new UserError('import-failed', `opencode did not ${what}: ${last}`, { cause });
}
