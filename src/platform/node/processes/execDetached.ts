import { spawn } from 'node:child_process';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface EndedProgram {
  readonly exitCode: number;
  /** What it printed, errors too. */
  readonly said: string;
}

/**
 * Runs a program that would leave what is the user's half changed if it were stopped: it comes to its end whatever becomes of us.
 * A terminal's Ctrl-C does not reach it, and what it prints goes to a file, for a pipe would break with us.
 */
export async function execDetached(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<EndedProgram> {
  const output = await openNameless();
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      const child = spawn(program, args, {
        ...{ cwd, detached: true, windowsHide: true },
        stdio: ['ignore', output.fd, output.fd],
      });
      child.on('error', reject);
      // Ended by a signal: no exit code of its own; shells say 128 and more.
      child.on('close', (code) => resolve(code ?? 128));
    });
    return { exitCode, said: await textOf(output) };
  } finally {
    await output.close();
  }
}

/** A file that is gone with the last who has it open. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-output-'));
  try {
    return await open(path.join(folder, 'output'), 'w+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All of it, wherever others have got to in it. */
async function textOf(file: FileHandle): Promise<string> {
  const bytes = Buffer.alloc((await file.stat()).size);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.toString('utf8', 0, bytesRead).trim();
}
