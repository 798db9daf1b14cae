import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { opencode as adapter } from '../../agents/adapters/opencode.ts';
import { UserError } from '../../base/errors.ts';
import { rowsOfSessions } from './databaseTail.ts';
import type { ImportRequest } from './placeSession.ts';

/** Its first start makes a database, and may look for a network. */
const TIMEOUT_MS = 90_000;
const LAST_CHARACTERS = 500;

type Call = Pick<ImportRequest, 'program' | 'place' | 'folder' | 'signal'>;
type Removal = Pick<ImportRequest, 'session' | 'program' | 'place' | 'folder'>;

/** Has opencode take the session into its database, and checks that it is there. */
export async function importIntoOpencode(request: ImportRequest): Promise<() => Promise<void>> {
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

/** Has opencode delete a session from its database, if it is there: a kill may have come before. */
export async function removeFromOpencode({ session, ...call }: Removal): Promise<void> {
  if (!(await isInOpencode({ session, place: call.place }))) return;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await opencode({ ...call, signal }, ['session', 'delete', session]);
}

async function opencode(call: Call, args: readonly string[]): Promise<string> {
  // Another one of ours may be at work in the same folder.
  const own = path.join(call.folder, `opencode-${process.pid}-${Date.now()}`);
  try {
    return await run(call, args, own);
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 3 });
  }
}

function run({ program, place, signal }: Call, args: readonly string[], own: string) {
  return new Promise<string>((resolve, reject) => {
    const env = { ...place.env, ...databaseAlone(own) };
    const options = { cwd: place.cwd, env, signal, timeout: TIMEOUT_MS };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout + stderr);
      else if (signal.aborted) reject(signal.reason as Error);
      else reject(failure(`${stdout}${stderr}`, error));
    }).stdin?.end();
  });
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

function failure(said: string, cause?: unknown): UserError {
  const last = said.trim().slice(-LAST_CHARACTERS);
  return new UserError('import-failed', `opencode did not take the session: ${last}`, { cause });
}
