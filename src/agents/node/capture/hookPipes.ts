import { errorCode } from '../../../base/errors.ts';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants;
/**
 * On some systems a pipe without a writer yet looks like a pipe at its end, so it is reopened after
 * this time.
 */
const REOPEN_MS = 5;

/**
 * The two pipes of a hook call: one carries the payload, closing the other lets the hook continue.
 */
export class HookPipes {
  readonly #pipe: string;
  #input: Socket;
  #release: number | undefined;

  private constructor(pipe: string, input: Socket, release: number) {
    this.#pipe = pipe;
    this.#input = input;
    this.#release = release;
  }

  /** Opens both pipes without waiting for the hook; undefined when the hook has given up. */
  static open(pipe: string): HookPipes | undefined {
    try {
      const input = reading(pipe);
      return new HookPipes(pipe, input, openSync(releaseOf(pipe), O_RDWR | O_NONBLOCK));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The complete payload; undefined when it is too long or doesn't end in time. */
  async text(maxBytes: number, timeoutMs: number): Promise<string | undefined> {
    const endMs = performance.now() + timeoutMs;
    const stop = setTimeout(() => this.#input.destroy(), timeoutMs).unref();
    try {
      for (;;) {
        const bytes = await received(this.#input, maxBytes);
        if (bytes === undefined || bytes.length > 0) return bytes?.toString('utf8');
        if (performance.now() > endMs) return undefined;
        await sleep(REOPEN_MS);
        this.#input = reading(this.#pipe);
      }
    } finally {
      clearTimeout(stop);
      // Both sides have the pipes open, so their names are no longer needed.
      for (const file of [this.#pipe, releaseOf(this.#pipe)]) rmSync(file, { force: true });
    }
  }

  /** Lets the hook continue. This also happens when the recorder ends in any way. */
  close(): void {
    this.#input.destroy();
    if (this.#release !== undefined) closeSync(this.#release);
    this.#release = undefined;
  }
}

function releaseOf(pipe: string): string {
  return `${pipe}.done`;
}

function reading(pipe: string): Socket {
  return new Socket({ fd: openSync(pipe, O_RDONLY | O_NONBLOCK), readable: true, writable: false });
}

async function received(input: Socket, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) return undefined;
    }
  } catch {
    return undefined; // The timeout destroyed the socket.
  }
  return Buffer.concat(chunks, length);
}
