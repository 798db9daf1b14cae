import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { ByteRing } from './byteRing.ts';
import type { PtyReaderData, ToPtyReader } from './ptyReader.ts';

/** Maximum bytes of one read. Before each read, the ring must have room for this many. */
const READ_BYTES = 64 * 1024;

/** Only moves the terminal's output into the ring, because a late read slows down the program. */
class PtyReaderThread {
  readonly #port: MessagePort;
  readonly #ring: ByteRing;
  readonly #answers: Int32Array;
  readonly #fd: number;
  readonly #stream: ReadStream;
  // One buffer for all reads: in a flood, allocating a buffer takes longer than reading.
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);

  constructor(port: MessagePort, { fd, ring, answers }: PtyReaderData) {
    this.#port = port;
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
    // Reading fails only when the terminal is closed; the program's exit then ends the session.
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

  /**
   * Whether the ring has room for a read. If not, the other thread sends `read` as soon as it has.
   */
  #hasRoom(): boolean {
    return this.#ring.free >= READ_BYTES || !this.#ring.stall(READ_BYTES);
  }

  #readAvailable(): void {
    while (this.#ring.free >= READ_BYTES) {
      let length: number;
      try {
        length = readSync(this.#fd, this.#buffer);
      } catch {
        return; // No more output is available, or the terminal is closed.
      }
      if (length === 0) return;
      this.#pass(length);
    }
  }
}

if (!parentPort) throw new Error('ptyReaderWorker runs only as a worker thread.');
new PtyReaderThread(parentPort, workerData as PtyReaderData);
