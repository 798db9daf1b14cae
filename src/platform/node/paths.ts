import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorCode } from '../../base/errors.ts';

/**
 * The limit of Unix socket paths is 104 bytes on macOS and 108 on Linux, including the final zero.
 */
const MAX_SOCKET_PATH_BYTES = 103;

/** The folder of the catalogue, and of sessions that are recorded outside of the editor. */
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
 * The socket of a session: in its folder if that path is short enough, else in a private runtime
 * folder, under a name derived from the session's folder. On Windows, a named pipe.
 */
export function socketPath(sessionFolder: string, name: string): string {
  const wanted = path.join(sessionFolder, name);
  if (process.platform === 'win32') return `\\\\.\\pipe\\ah-${shortHash(wanted)}`;
  if (Buffer.byteLength(wanted) <= MAX_SOCKET_PATH_BYTES) return wanted;
  return path.join(runtimeFolder(), `${shortHash(wanted)}.sock`);
}

/**
 * A private folder for sockets. Every user can write to the folder around it, so its usual name may
 * be another user's.
 */
function runtimeFolder(): string {
  const usual = path.join(
    process.env['XDG_RUNTIME_DIR'] || os.tmpdir(),
    `ah-${process.getuid?.() ?? 0}`,
  );
  try {
    makePrivateFolder(usual);
    if (isPrivate(usual)) return usual;
  } catch (error) {
    // The name belongs to a file or link instead of a folder.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  if (ownFolder === undefined || !isPrivate(ownFolder)) ownFolder = mkdtempSync(`${usual}-`);
  return ownFolder;
}

/** Of this process, if the usual one can't be used. */
let ownFolder: string | undefined;

function isPrivate(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
