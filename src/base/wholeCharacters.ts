import { concatenate } from './bytes.ts';

const CONTINUATION = 0x80;
const CONTINUATION_MASK = 0xc0;

/**
 * Splits UTF-8 only between characters and keeps the bytes of an incomplete one for the next call.
 * xterm does this itself, but it loses characters that contain a byte 0x80, such as dashes and
 * quotes, when they are split after that byte.
 */
export class WholeCharacters {
  #held: Uint8Array = new Uint8Array(0);

  /** The first bytes of an incomplete character; empty if there is none. */
  get held(): Uint8Array {
    return this.#held;
  }

  /**
   * Returns the complete characters so far. Invalid bytes are returned too, since no later byte
   * would complete them.
   */
  take(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : concatenate([this.#held, bytes]);
    const end = all.length - unfinishedBytes(all);
    this.#held = all.slice(end);
    return all.subarray(0, end);
  }
}

/** Number of bytes at the end that belong to an incomplete character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if ((byte & CONTINUATION_MASK) === CONTINUATION) continue;
    return characterLength(byte) > count ? count : 0;
  }
  return 0;
}

function characterLength(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xc2 && byte < 0xe0 ? 2 : 1;
}
