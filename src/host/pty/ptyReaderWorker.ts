import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { parentPort, workerData } from 'node:worker_threads';
import { ByteRing } from './byteRing.ts';
import type { PtyReaderData, ToPtyReader } from './ptyReader.ts';

/** As much as one read may bring, and so the room there must be before it. */
const READ_BYTES = 64 * 1024;

/** Moves the terminal's output into the ring and does nothing else: whatever kept it from its next read would slow the program. */
class PtyReaderThread {
  readonly #port = parentPort!;
  readonly #ring: ByteRing;
  readonly #answers: Int32Array;
  readonly #fd: number;
  readonly #stream: ReadStream;
  // One buffer for all reads: under a flood of output, allocating one each would cost more than reading.
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);

  constructor({ fd, ring, answers }: PtyReaderData) {
    this.#fd = fd;
    this.#ring = new ByteRing(ring);
    this.#answers = new Int32Array(answers);
    this.#stream = new ReadStream(fd, {
      onread: {
        buffer: this.#buffer,
        callback: (length: number) => {
          this.#pass(length);
          return this.#hasRoom();
        },
      },
    });
    // Reading fails only once the terminal is gone; the program's exit ends the session then.
    this.#stream.on('error', () => {});
    this.#port.on('message', (message: ToPtyReader) => this.#receive(message));
  }

  #receive(message: ToPtyReader): void {
    switch (message) {
      case 'read':
        if (this.#hasRoom()) this.#stream.resume();
        break;
      case 'readAvailable':
        this.#readAvailable();
        Atomics.add(this.#answers, 0, 1);
        Atomics.notify(this.#answers, 0);
        break;
      case 'close':
        this.#stream.destroy();
        this.#port.close();
        break;
    }
  }

  #pass(length: number): void {
    if (this.#ring.write(this.#buffer.subarray(0, length))) this.#port.postMessage('wake');
  }

  /** When there is none, the other side says `read` once it has made some. */
  #hasRoom(): boolean {
    return this.#ring.free >= READ_BYTES || !this.#ring.stall(READ_BYTES);
  }

  #readAvailable(): void {
    while (this.#ring.free >= READ_BYTES) {
      let length: number;
      try {
        length = readSync(this.#fd, this.#buffer);
      } catch {
        return; // There is nothing left, for now or for ever.
      }
      if (length === 0) return;
      this.#pass(length);
    }
  }
}

new PtyReaderThread(workerData as PtyReaderData);
