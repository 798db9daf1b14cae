import { spawn } from 'node:child_process';

/** Longer output loses its beginning; the end contains the result. */
const MAX_TEXT = 64 * 1024;

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** After this time the program is killed, with all processes that it has started. */
  readonly timeoutMs: number;
}

export interface EndedRun {
  /** Undefined if a signal ended the program. */
  readonly exitCode: number | undefined;
  /** What the program and the processes that it started printed. */
  readonly output: string;
}

/**
 * Runs a program in its own process group, which Ctrl-C in our terminal does not reach. Waits for
 * all processes that still have its output open, because many programs are only launchers. Rejects
 * if it can't be started.
 */
export function runToEnd(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: RunOptions,
): Promise<EndedRun> {
  return new Promise((resolve, reject) => {
    // On Windows, process groups can't be killed, and a window would open.
    const detached = process.platform !== 'win32';
    const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, env, detached, stdio, windowsHide: true });
    const streams = [child.stdout, child.stderr];
    let output = '';
    for (const stream of streams) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_TEXT);
      });
    }
    const timer = setTimeout(() => {
      if (detached && child.pid !== undefined) killGroup(child.pid);
      else child.kill('SIGKILL');
      // Don't wait for processes that left the group.
      for (const stream of streams) stream.destroy();
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? undefined, output });
    });
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All processes of the group have ended already.
  }
}
