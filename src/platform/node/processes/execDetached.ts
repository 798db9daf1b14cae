import { spawn } from 'node:child_process';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface EndedProgram {
  readonly exitCode: number;
  /** What the program printed, including errors. */
  readonly output: string;
}

/**
 * Runs a program that must finish even if we are killed, because it changes the user's files.
 * Ctrl-C in the terminal does not reach it. It prints to a file, because a pipe would break if we
 * are killed.
 */
export async function execDetached(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<EndedProgram> {
  const file = await openNameless();
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      const child = spawn(program, args, {
        cwd,
        detached: true,
        windowsHide: true,
        stdio: ['ignore', file.fd, file.fd],
      });
      child.on('error', reject);
      // A program that was ended by a signal has no exit code; shells report 128 or more.
      child.on('close', (code) => resolve(code ?? 128));
    });
    return { exitCode, output: await textOf(file) };
  } finally {
    await file.close();
  }
}

/** Opens a file without a path, which disappears when the last process closes it. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-output-'));
  try {
    return await open(path.join(folder, 'output'), 'w+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the file from its start, regardless of the position that it shares with the program. */
async function textOf(file: FileHandle): Promise<string> {
  const bytes = Buffer.alloc((await file.stat()).size);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.toString('utf8', 0, bytesRead).trim();
}
