import { Worker } from 'node:worker_threads';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ByteRing, makeSharedRing, type SharedRing } from './byteRing.ts';

export type ToPtyReader = 'read' | 'readAvailable' | 'close';

export interface PtyReaderData {
  readonly fd: number;
  readonly ring: SharedRing;
  /** Counts the answers to `readAvailable`. */
  readonly answers: SharedArrayBuffer;
}

/** 1 MiB: some 20 ms of the fastest program. */
const RING_POWER = 20;
/** What comes in larger pieces is no echo of a key that somebody waits for: the rest of it is right behind. */
const FLOOD_BYTES = 2048;
const FLOOD_WAIT_MS = 1;
/** A thread that takes longer to read what is there is not running; then the events go first. */
const ANSWER_MS = 100;

/**
 * Reads a terminal on a thread of its own, and owns the descriptor. The kernel hands over 4 KiB at a time and has the next
 * ready only after that was taken, so that all else done between two reads would be the program's waiting time.
 * See docs/decisions/0009-read-the-terminal-on-its-own-thread.md.
 */
export class PtyReader implements Disposable {
  readonly #worker: Worker;
  readonly #ring: ByteRing;
  readonly #answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #data = new Emitter<Uint8Array>();
  readonly #failures = new Emitter<Error>();
  #hasBegun = false;
  #isPaused = true;
  #wait: NodeJS.Timeout | undefined;

  /** The bytes are valid until the listener returns: copy what is kept. */
  readonly onData = this.#data.event;
  /** The thread died of a bug: nothing will be read any more. */
  readonly onDidFail = this.#failures.event;

  constructor(fd: number, workerFile: string) {
    const ring = makeSharedRing(RING_POWER);
    this.#ring = new ByteRing(ring);
    const answers = this.#answers.buffer;
    const data: PtyReaderData = { fd, ring, answers };
    this.#worker = new Worker(workerFile, { workerData: data });
    this.#worker.on('message', () => this.#take());
    this.#worker.on('error', (error: Error) => this.#failures.fire(error));
  }

  /** Nothing is delivered any more, and once the ring is full nothing is read. */
  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#wait);
    this.#wait = undefined;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#hasBegun) this.#tell('read');
    this.#hasBegun = true;
    this.#take();
  }

  /** Delivers what has been printed so far, paused or not. */
  readAvailable(): void {
    if (!this.#hasBegun) return;
    this.#empty();
    const before = Atomics.load(this.#answers, 0);
    this.#tell('readAvailable');
    Atomics.wait(this.#answers, 0, before, ANSWER_MS);
    this.#empty();
    this.#take();
  }

  /** Has the thread read what is there. @returns whether it has by now, which takes until it runs */
  look(): () => boolean {
    const before = Atomics.load(this.#answers, 0);
    this.#tell('readAvailable');
    return () => Atomics.load(this.#answers, 0) !== before;
  }

  dispose(): void {
    this.pause();
    this.#data.dispose();
    this.#tell('close');
  }

  /** Delivers what is there, and again when there is more: at the next byte, or in a flood a little later. */
  #take(): void {
    while (!this.#isPaused && !this.#wait) {
      if (this.#empty() >= FLOOD_BYTES) {
        this.#wait = setTimeout(() => {
          this.#wait = undefined;
          this.#take();
        }, FLOOD_WAIT_MS);
      } else if (this.#ring.sleep()) {
        return;
      }
    }
  }

  /** @returns how much there was */
  #empty(): number {
    let taken = 0;
    for (let chunk = this.#ring.peek(); chunk.length > 0; chunk = this.#ring.peek()) {
      this.#data.fire(chunk);
      taken += chunk.length;
      if (this.#ring.release(chunk.length)) this.#tell('read');
    }
    return taken;
  }

  #tell(message: ToPtyReader): void {
    this.#worker.postMessage(message);
  }
}
