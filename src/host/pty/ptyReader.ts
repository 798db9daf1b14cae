import { Worker } from 'node:worker_threads';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ByteRing, makeSharedRing, type SharedRing } from './byteRing.ts';

/**
 * Plain messages instead of a channel: they only wake the other thread; the bytes are in the ring.
 */
export type ToPtyReader = 'read' | 'readAvailable' | 'close';

export interface PtyReaderData {
  readonly fd: number;
  readonly ring: SharedRing;
  /** Counts the completed `readAvailable` requests. */
  readonly answers: SharedArrayBuffer;
}

/** 1 MiB, which the fastest program fills in about 20 ms. */
const RING_POWER = 20;
/**
 * A piece of this size is not the echo of a key, so its successors may be collected for a moment.
 */
const FLOOD_BYTES = 2048;
const FLOOD_WAIT_MS = 1;
/** How long an event waits for output from the reader thread; later output is recorded after it. */
const ANSWER_MS = 100;

/**
 * Reads a terminal on its own thread, and owns the file descriptor. The kernel provides at most 4
 * KiB at a time, and more only after these were read. On the main thread, the program would wait
 * while other work delays the next read. See
 * docs/decisions/0009-read-the-terminal-on-its-own-thread.md.
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

  /** The bytes are valid only until the listener returns: copy them to keep them. */
  readonly onData = this.#data.event;
  /** Fires when the thread has ended because of a bug, so that nothing more will be read. */
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

  /** Stops delivery. Reading stops as well once the ring is full. */
  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#wait);
    this.#wait = undefined;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#hasBegun) this.#post('read');
    this.#hasBegun = true;
    this.#take();
  }

  /** Delivers the output printed so far, even while paused. */
  readAvailable(): void {
    if (!this.#hasBegun) return;
    this.#deliver();
    const before = Atomics.load(this.#answers, 0);
    this.#post('readAvailable');
    Atomics.wait(this.#answers, 0, before, ANSWER_MS);
    this.#deliver();
    this.#take();
  }

  /**
   * Asks the thread to read available output. @returns a function that says whether it has done so
   */
  requestRead(): () => boolean {
    const before = Atomics.load(this.#answers, 0);
    this.#post('readAvailable');
    return () => Atomics.load(this.#answers, 0) !== before;
  }

  dispose(): void {
    this.pause();
    this.#data.dispose();
    this.#post('close');
  }

  /** Delivers output until the ring is empty; in a flood it waits a moment to collect more. */
  #take(): void {
    while (!this.#isPaused && !this.#wait) {
      if (this.#deliver() >= FLOOD_BYTES) {
        this.#wait = setTimeout(() => {
          this.#wait = undefined;
          this.#take();
        }, FLOOD_WAIT_MS);
      } else if (this.#ring.sleep()) {
        return;
      }
    }
  }

  /** Delivers the content of the ring. @returns its length */
  #deliver(): number {
    let taken = 0;
    for (let chunk = this.#ring.peek(); chunk.length > 0; chunk = this.#ring.peek()) {
      this.#data.fire(chunk);
      taken += chunk.length;
      if (this.#ring.release(chunk.length)) this.#post('read');
    }
    return taken;
  }

  #post(message: ToPtyReader): void {
    this.#worker.postMessage(message);
  }
}
