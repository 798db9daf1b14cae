import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** In one call: far from what a command line can hold, and to start a program takes longer than to copy a file. */
const AT_A_TIME = 1000;

/** What `cp` says of a file that went away, or became another one, after it was listed; a build that runs does that. */
const VANISHED =
  /^cp: (?:cannot (?:stat|access|open|read symbolic link) .+: No such file or directory|skipping file .+, as it was replaced while being copied)$/;

/**
 * Copies files and folders into a folder that has none of these names, sharing blocks where the disk can.
 * @returns how many files were gone before they could be copied
 */
export async function copyTrees(
  sources: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  let vanished = 0;
  for (let at = 0; at < sources.length; at += AT_A_TIME) {
    const some = sources.slice(at, at + AT_A_TIME);
    if (process.platform === 'linux') vanished += await copyByProgram(some, folder, signal);
    else for (const source of some) await copyByNode(source, folder, signal);
  }
  return vanished;
}

/** Some five times as fast as copying from here. */
async function copyByProgram(
  sources: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const args = ['-a', '--reflink=auto', '-t', folder, '--', ...sources];
  const { exitCode, stderr } = await nodeExec('cp', args, {
    ...{ cwd: '/', env: { LC_ALL: 'C' }, signal },
  });
  if (exitCode === 0) return 0;
  const complaints = stderr.trim().split('\n');
  const reason = complaints.find((line) => !VANISHED.test(line));
  if (reason === undefined) return complaints.length;
  throw new UserError(
    /No space left|quota exceeded/i.test(stderr) ? 'disk-full' : 'carry-failed',
    `${sources[0]} cannot be brought along: ${reason}`,
  );
}

async function copyByNode(source: string, folder: string, signal: AbortSignal): Promise<void> {
  await cp(source, path.join(folder, path.basename(source)), {
    ...{ recursive: true, preserveTimestamps: true, verbatimSymlinks: true },
    mode: constants.COPYFILE_FICLONE,
    filter: () => !signal.aborted,
  });
  signal.throwIfAborted();
}
