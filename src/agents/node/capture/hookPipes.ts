import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants;
/** On some systems a pipe that nobody has opened yet for writing looks like one at its end. */
const REOPEN_MS = 5;

/** The two pipes of one call of a hook: one brings what the hook got, the other lets the hook go on when it is closed. */
export class HookPipes {
  readonly #pipe: string;
  #input: Socket;
  #release: number | undefined;

  private constructor(pipe: string, input: Socket, release: number) {
    this.#pipe = pipe;
    this.#input = input;
    this.#release = release;
  }

  /** Nothing when the hook has given up. Neither open waits for the other side. */
  static open(pipe: string): HookPipes | undefined {
    try {
      const input = reading(pipe);
      return new HookPipes(pipe, input, openSync(releaseOf(pipe), O_RDWR | O_NONBLOCK));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** What the hook got, all of it; nothing when it is longer than allowed or the hook does not come to its end in time. */
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
      // Both sides have them open: nobody needs their names any more.
      for (const file of [this.#pipe, releaseOf(this.#pipe)]) rmSync(file, { force: true });
    }
  }

  /** The hook goes on. So it does when this process ends in whatever way. */
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
    return undefined; // It took too long.
  }
  return Buffer.concat(chunks, length);
}
