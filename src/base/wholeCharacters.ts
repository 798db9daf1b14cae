const CONTINUATION = 0x80;
const CONTINUATION_MASK = 0xc0;

/**
 * Passes UTF-8 on in whole characters, and keeps the first bytes of one whose rest has not come. xterm has a way of its own to do
 * that, and loses characters by it: those with a byte 0x80 inside, such as dashes, quotes and bullets, when cut behind that byte.
 */
export class WholeCharacters {
  #held: Uint8Array = new Uint8Array(0);

  /** The first bytes of a character; empty between characters. */
  get held(): Uint8Array {
    return this.#held;
  }

  /** What there is to pass on. Bytes that are no UTF-8 are: they are not waiting for anything. */
  take(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    const end = all.length - unfinishedBytes(all);
    this.#held = all.slice(end);
    return all.subarray(0, end);
  }
}

/** How many bytes at the end are the start of a character that goes on. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count]!;
    if ((byte & CONTINUATION_MASK) === CONTINUATION) continue;
    return lengthOf(byte) > count ? count : 0;
  }
  return 0;
}

/** Of the character that begins with this byte. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xc2 && byte < 0xe0 ? 2 : 1;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
