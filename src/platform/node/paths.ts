import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';

/** The kernel's limit for a Unix socket path is 104 bytes on macOS and 108 on Linux, final zero included. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Where sessions recorded outside the editor live, and the catalogue of all sessions. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env['AH_DATA_DIR']) return path.resolve(env['AH_DATA_DIR']);
  if (process.platform === 'win32' && env['LOCALAPPDATA'])
    return path.join(env['LOCALAPPDATA'], 'ah');
  return path.join(env['XDG_DATA_HOME'] || path.join(os.homedir(), '.local/share'), 'ah');
}

/** Creates a folder that only its owner can enter. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Where to listen for a session: inside its folder where that path is short enough, else in a private runtime folder
 * under a name derived from the folder. On Windows, a named pipe.
 */
export function socketPath(sessionFolder: string, name: string): string {
  const wanted = path.join(sessionFolder, name);
  if (process.platform === 'win32') return `\\\\.\\pipe\\ah-${shortHash(wanted)}`;
  if (Buffer.byteLength(wanted) <= MAX_SOCKET_PATH_BYTES) return wanted;
  return path.join(runtimeFolder(), `${shortHash(wanted)}.sock`);
}

function runtimeFolder(): string {
  const userId = process.getuid?.() ?? 0;
  const folder = path.join(process.env['XDG_RUNTIME_DIR'] || os.tmpdir(), `ah-${userId}`);
  makePrivateFolder(folder);
  // The parent may be a folder that everybody writes to: do not trust what somebody else put there.
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== userId || (found.mode & 0o077) !== 0) {
    throw new UserError(
      'unsafe-folder',
      `${folder} is not a private folder of yours; remove it and try again.`,
    );
  }
  return folder;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
