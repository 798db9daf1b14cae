import { randomInt } from 'node:crypto';

/** Finds a unique sequence of bytes in a stream and cuts off the stream there. */
export class EndMarker {
  /** Only digits and brackets: terminals may rewrite letters, newlines and tabs on output. */
  readonly bytes: Buffer;
  /** How many bytes of the marker were written to the terminal. */
  writtenBytes = 0;
  #held: Buffer = Buffer.alloc(0);
  #isFound = false;

  constructor() {
    const digits = Array.from({ length: 32 }, () => randomInt(10)).join('');
    this.bytes = Buffer.from(`[[${digits}]]`);
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** @returns the bytes before the marker, except for a tail that may be the marker's start */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#isFound) return Buffer.alloc(0);
    const text = Buffer.concat([this.#held, chunk]);
    const at = text.indexOf(this.bytes);
    if (at >= 0) {
      this.#isFound = true;
      this.#held = Buffer.alloc(0);
      return text.subarray(0, at);
    }
    const kept = Math.min(this.bytes.length - 1, text.length);
    this.#held = text.subarray(text.length - kept);
    return text.subarray(0, text.length - kept);
  }

  /**
   * Returns the held tail if the marker never arrived in full, without the part that was written.
   */
  release(): Uint8Array {
    let held: Buffer = this.#held;
    this.#held = Buffer.alloc(0);
    for (let length = Math.min(held.length, this.writtenBytes); length > 0; length--) {
      if (held.subarray(held.length - length).equals(this.bytes.subarray(0, length))) {
        held = held.subarray(0, held.length - length);
        break;
      }
    }
    return held;
  }
}
