import { spawn } from 'node:child_process';

/** Of what a program prints, the end is kept: it says what became of it. */
const MAX_TEXT = 64 * 1024;

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** After that it is killed, with all that it has started. */
  readonly timeoutMs: number;
}

export interface EndedRun {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** What it and all that it started printed. */
  readonly said: string;
}

/**
 * Runs a program that nobody interrupts: in a group of its own, which a Ctrl-C in our terminal does not reach. It has ended when
 * all have that it started and that can still print: many programs are only a beginning that starts the real one.
 * Rejects when it cannot be started.
 */
export function runToEnd(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: RunOptions,
): Promise<EndedRun> {
  return new Promise((resolve, reject) => {
    // On Windows there are no groups to be killed, and a window would open.
    const detached = process.platform !== 'win32';
    const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, env, detached, stdio, windowsHide: true });
    const streams = [child.stdout, child.stderr];
    let said = '';
    for (const stream of streams) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-MAX_TEXT);
      });
    }
    const timer = setTimeout(() => {
      if (detached) killGroup(child.pid!);
      else child.kill('SIGKILL');
      // Whoever left the group is not waited for.
      for (const stream of streams) stream.destroy();
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? undefined, said });
    });
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of them have ended meanwhile.
  }
}
