import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Exec, ExecOptions, RunningProgram, Start } from '../../../snapshots/common/ports.ts';

const DEFAULT_MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Error output beyond this length is dropped. */
const MAX_ERROR_TEXT = 64 * 1024;

/** The `Exec` port declares the contract. */
export const nodeExec: Exec = (program, args, options) =>
  new Promise((resolve, reject) => {
    options.signal?.throwIfAborted();
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: environment(options),
      // If there is no input, `ignore` saves creating a pipe and waiting for it.
      stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const limit = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
    const chunks: Buffer[] = [];
    let length = 0;
    let errorText = '';
    let failure: Error | undefined;
    const end = (error: Error): void => {
      failure ??= error;
      child.kill('SIGKILL');
    };
    const onAbort = (): void => end(toError(options.signal?.reason));
    options.signal?.addEventListener('abort', onAbort, { once: true });

    // `!`: both streams are pipes.
    child.stdout!.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) end(new Error(`${program} printed more than ${limit} bytes.`));
      else chunks.push(chunk);
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (errorText.length < MAX_ERROR_TEXT) errorText += text;
    });
    // A program may exit without reading all of its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input);
    child.on('error', (error) => (failure ??= error));
    child.on('close', (code) => {
      options.signal?.removeEventListener('abort', onAbort);
      if (failure) reject(failure);
      // A program that was ended by a signal has no exit code; shells report 128 or more.
      else
        resolve({
          exitCode: code ?? 128,
          stdout: Buffer.concat(chunks, length),
          stderr: errorText,
        });
    });
  });

/** Starts a program that answers requests. It does not keep this process alive. */
export const nodeStart: Start = (program, args, options) => {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environment(options),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return new NodeProgram(child);
};

type PipedChild = ChildProcessByStdio<Writable, Readable, null>;

class NodeProgram implements RunningProgram {
  readonly #child: PipedChild;
  readonly #chunks: Uint8Array[] = [];
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(child: PipedChild) {
    this.#child = child;
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake?.();
    };
    child.on('error', end).on('close', end);
    // Errors only repeat that the program has ended.
    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#wake?.();
    });
    this.#hold(false);
  }

  write(bytes: Uint8Array): void {
    if (!this.#hasEnded) this.#child.stdin.write(bytes);
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#chunks.length === 0 && !this.#hasEnded) {
      this.#hold(true);
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
      this.#hold(false);
    }
    return this.#chunks.shift();
  }

  dispose(): void {
    this.#child.kill('SIGKILL');
  }

  /** Keeps our process alive only while a caller waits for an answer. */
  #hold(isWaiting: boolean): void {
    const method = isWaiting ? 'ref' : 'unref';
    this.#child[method]();
    for (const stream of [this.#child.stdin, this.#child.stdout]) {
      (stream as unknown as Partial<Record<'ref' | 'unref', () => void>>)[method]?.();
    }
  }
}

function environment(options: Pick<ExecOptions, 'env'>): NodeJS.ProcessEnv {
  const merged = { ...process.env, ...options.env };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
