/**
 * Slots of the shared counters: how many bytes were written and read in total. The difference is
 * the number of bytes in the ring.
 */
const WRITTEN = 0;
const READ = 1;
/** 1 while the reader waits for a message that new bytes are there. */
const ASLEEP = 2;
/** 1 while the writer waits for a message that there is room. */
const STALLED = 3;
const SLOTS = 4;

/** The memory that the writer and the reader share. */
export interface SharedRing {
  readonly counters: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** A ring of `2 ** power` bytes. */
export function makeSharedRing(power: number): SharedRing {
  return {
    counters: new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT),
    bytes: new SharedArrayBuffer(2 ** power),
  };
}

/**
 * A stream of bytes from a writing thread to a reading thread, without a message for each piece.
 */
export class ByteRing {
  readonly #counters: Int32Array;
  readonly #bytes: Uint8Array;

  constructor({ counters, bytes }: SharedRing) {
    this.#counters = new Int32Array(counters);
    this.#bytes = new Uint8Array(bytes);
  }

  /** How many bytes can be written now. */
  get free(): number {
    return this.#bytes.length - this.#held();
  }

  /** Writer: writes at most {@link free} bytes. @returns whether the reader waits for a message */
  write(chunk: Uint8Array): boolean {
    const at = this.#position(WRITTEN);
    const first = Math.min(chunk.length, this.#bytes.length - at);
    this.#bytes.set(first === chunk.length ? chunk : chunk.subarray(0, first), at);
    if (first < chunk.length) this.#bytes.set(chunk.subarray(first), 0);
    Atomics.add(this.#counters, WRITTEN, chunk.length);
    return Atomics.exchange(this.#counters, ASLEEP, 0) === 1;
  }

  /** Writer: announces that it waits for a message. @returns false when there is room after all */
  stall(needed: number): boolean {
    Atomics.store(this.#counters, STALLED, 1);
    return this.free < needed || Atomics.exchange(this.#counters, STALLED, 0) === 0;
  }

  /** Reader: the content up to the end of the ring's memory. Valid until {@link release}. */
  peek(): Uint8Array {
    const at = this.#position(READ);
    return this.#bytes.subarray(at, Math.min(at + this.#held(), this.#bytes.length));
  }

  /** Reader: frees bytes. @returns whether the writer waits for a message */
  release(length: number): boolean {
    Atomics.add(this.#counters, READ, length);
    return Atomics.exchange(this.#counters, STALLED, 0) === 1;
  }

  /** Reader: announces that it waits for a message. @returns false if there is content after all */
  sleep(): boolean {
    Atomics.store(this.#counters, ASLEEP, 1);
    return this.#held() === 0 || Atomics.exchange(this.#counters, ASLEEP, 0) === 0;
  }

  #held(): number {
    return (Atomics.load(this.#counters, WRITTEN) - Atomics.load(this.#counters, READ)) | 0;
  }

  #position(slot: number): number {
    return Atomics.load(this.#counters, slot) & (this.#bytes.length - 1);
  }
}
