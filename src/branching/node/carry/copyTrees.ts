import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/**
 * How many files one run of `cp` copies: few enough for a command line, and enough to make the
 * start of `cp` negligible.
 */
const FILES_PER_CALL = 1000;

/**
 * Messages of `cp` about files that were deleted or replaced after they were listed, for example by
 * a running build.
 */
const VANISHED =
  /^cp: (?:cannot (?:stat|access|open|read symbolic link) .+: No such file or directory|skipping file .+, as it was replaced while being copied)$/;

/**
 * Copies files and folders into a folder that has no entries with these names yet, sharing blocks
 * if the file system can.
 * @returns how many files vanished before they could be copied
 */
export async function copyTrees(
  sources: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  let vanished = 0;
  for (let at = 0; at < sources.length; at += FILES_PER_CALL) {
    const some = sources.slice(at, at + FILES_PER_CALL);
    if (process.platform === 'linux') vanished += await copyByProgram(some, folder, signal);
    else for (const source of some) await copyByNode(source, folder, signal);
  }
  return vanished;
}

/** Runs `cp`, which is about five times as fast as copying with Node. */
async function copyByProgram(
  sources: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const args = ['-a', '--reflink=auto', '-t', folder, '--', ...sources];
  const { exitCode, stderr } = await nodeExec('cp', args, {
    cwd: '/',
    env: { LC_ALL: 'C' },
    signal,
  });
  if (exitCode === 0) return 0;
  const complaints = stderr.trim().split('\n');
  const reason = complaints.find((line) => !VANISHED.test(line));
  if (reason === undefined) return complaints.length;
  throw new UserError(
    /No space left|quota exceeded/i.test(stderr) ? 'disk-full' : 'carry-failed',
    `Can't copy ${sources[0]} into the branch: ${reason}`,
  );
}

async function copyByNode(source: string, folder: string, signal: AbortSignal): Promise<void> {
  await cp(source, path.join(folder, path.basename(source)), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: () => !signal.aborted,
  });
  signal.throwIfAborted();
}
