import { spawn } from 'node:child_process';

export interface CommandResult {
  /** The text of both outputs, in the order of arrival. */
  readonly output: string;
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command prints to the agent's terminal; then `output` is empty. */
  readonly inTerminal: boolean;
  /** Real time after which the command is killed. */
  readonly timeoutMs: number;
}

/** Runs a program with arguments, or a text in the shell. `node` is the scenario's Node. */
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
