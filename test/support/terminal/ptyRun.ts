import { spawn, type IPty } from 'node-pty';

export interface PtyRun {
  readonly pty: IPty;
  /** All output until now. */
  output(): Buffer;
  /** Resolves once the output contains `text`. */
  waitFor(text: string | RegExp): Promise<void>;
  /** How the process ended. Other processes may still print to the terminal. */
  readonly ended: Promise<{ exitCode: number; signal: number }>;
}

interface PtyRunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cols?: number;
  readonly rows?: number;
}

const POLL_MS = 10;

/** Runs a program in a real terminal and collects its bytes. */
export function runInPty(program: string, args: string[], options: PtyRunOptions): PtyRun {
  const { cwd, env = process.env, cols = 80, rows = 24 } = options;
  const pty = spawn(program, args, { cwd, env, cols, rows, encoding: null });
  const chunks: Buffer[] = [];
  // With `encoding: null` the data are bytes, whatever the declared type says.
  pty.onData((data) => chunks.push(data as unknown as Buffer));
  const ended = new Promise<{ exitCode: number; signal: number }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => resolve({ exitCode, signal: signal ?? 0 }));
  });
  const output = (): Buffer => Buffer.concat(chunks);
  return {
    pty,
    output,
    ended,
    async waitFor(text) {
      const isThere = (): boolean => {
        const printed = output().toString();
        return typeof text === 'string' ? printed.includes(text) : text.test(printed);
      };
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    },
  };
}
