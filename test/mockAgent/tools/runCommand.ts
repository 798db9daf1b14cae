import { spawn } from 'node:child_process';

export interface CommandResult {
  /** What it printed to both outputs, in the order it arrived. */
  readonly output: string;
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it prints to the agent's own terminal; then `output` is empty. */
  readonly inTerminal: boolean;
  /** Real time; the command is killed afterwards. */
  readonly timeoutMs: number;
}

/** A program with arguments runs as it is; a text runs in the shell. `node` is the Node that plays the scenario. */
export async function runCommand(
  command: string | readonly [string, ...string[]],
  { cwd, env, inTerminal, timeoutMs }: CommandOptions,
): Promise<CommandResult> {
  const [program, ...args] = typeof command === 'string' ? [command] : command;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { ...process.env, ...env },
    shell: typeof command === 'string',
    stdio: inTerminal ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  const parts: Buffer[] = [];
  child.stdout?.on('data', (bytes: Buffer) => parts.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => parts.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) =>
      resolve({
        output: Buffer.concat(parts).toString('utf8'),
        exitCode: exitCode ?? undefined,
        signal: signal ?? undefined,
      }),
    );
  });
}
