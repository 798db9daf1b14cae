/** Slots of the shared counters. Both positions only grow; their difference is what the ring holds. */
const WRITTEN = 0;
const READ = 1;
/** The reader sleeps until it is woken. */
const ASLEEP = 2;
/** The writer has stopped for lack of room, and goes on when it is told. */
const STALLED = 3;
const SLOTS = 4;

/** The memory that both ends of a ring look at. */
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

/** A stream of bytes from one thread to another without a message per piece. One thread writes, one reads. */
export class ByteRing {
  readonly #counters: Int32Array;
  readonly #bytes: Uint8Array;

  constructor({ counters, bytes }: SharedRing) {
    this.#counters = new Int32Array(counters);
    this.#bytes = new Uint8Array(bytes);
  }

  /** How much can be written now. */
  get free(): number {
    return this.#bytes.length - this.#held();
  }

  /** Writer: at most {@link free} bytes. @returns whether the reader sleeps and has to be woken */
  write(chunk: Uint8Array): boolean {
    const at = this.#position(WRITTEN);
    const first = Math.min(chunk.length, this.#bytes.length - at);
    this.#bytes.set(first === chunk.length ? chunk : chunk.subarray(0, first), at);
    if (first < chunk.length) this.#bytes.set(chunk.subarray(first), 0);
    Atomics.add(this.#counters, WRITTEN, chunk.length);
    return Atomics.exchange(this.#counters, ASLEEP, 0) === 1;
  }

  /** Writer: says that it stops until it is told to go on. @returns false when there is room for so much after all */
  stall(needed: number): boolean {
    Atomics.store(this.#counters, STALLED, 1);
    return this.free < needed || Atomics.exchange(this.#counters, STALLED, 0) === 0;
  }

  /** Reader: what is there, in one piece or, at the ring's end, its first part. Valid until {@link release}. */
  peek(): Uint8Array {
    const at = this.#position(READ);
    return this.#bytes.subarray(at, Math.min(at + this.#held(), this.#bytes.length));
  }

  /** Reader: makes room. @returns whether the writer has stopped and has to be told to go on */
  release(length: number): boolean {
    Atomics.add(this.#counters, READ, length);
    return Atomics.exchange(this.#counters, STALLED, 0) === 1;
  }

  /** Reader: asks to be woken by the next byte. @returns false when there is something already */
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
