import { randomInt } from 'node:crypto';

/** Finds a unique run of bytes in a stream and keeps it, and everything after it, out of what is passed on. */
export class EndMarker {
  /** Digits and brackets only: a terminal may rewrite letters, newlines and tabs on output, never these. */
  readonly bytes: Buffer;
  /** How much of the marker the writer has got rid of. */
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

  /** What may be passed on now: all but a tail that could be the marker's beginning. */
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

  /** What was held back although the marker never came; a part of the marker itself is left out. */
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
