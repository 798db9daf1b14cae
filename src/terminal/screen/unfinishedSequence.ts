import { concatenate } from '../../base/bytes.ts';

const ESCAPE = 0x1b;
const C1_LEAD = 0xc2;
/** Second UTF-8 byte of the single characters that stand for DCS, SOS, CSI, OSC, PM and APC. */
const C1_INTRODUCERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);
/** Bytes after ESC that start a string: P (DCS), X (SOS), ] (OSC), ^ (PM), _ (APC). */
const STRING_INTRODUCERS: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
const C1_CSI = 0x9b;

/**
 * Longer sequences are images or attacks, and are not kept: a client that attaches in the middle
 * sees the rest as text.
 */
const MAX_LENGTH = 64 * 1024;

/**
 * The bytes of an unfinished escape sequence or character. A restored terminal needs them before
 * the next output.
 */
export class UnfinishedSequence {
  #bytes: Uint8Array = new Uint8Array(0);

  /** Returns `stream` followed by the unfinished bytes. */
  appendTo(stream: Uint8Array): Uint8Array {
    return this.#bytes.length === 0 ? stream : concatenate([stream, this.#bytes]);
  }

  /** Call when the parser is between sequences; `partial` is the start of a character, if any. */
  setCharacter(partial: Uint8Array): void {
    this.#bytes = partial.slice();
  }

  /** Call when the parser is inside a sequence that started in these bytes or before. */
  extend(bytes: Uint8Array): void {
    // An introducer inside a sequence starts a new one, so the last introducer starts the
    // unfinished one.
    const start = lastIntroducer(bytes);
    const tail = start < 0 ? concatenate([this.#bytes, bytes]) : bytes.slice(start);
    this.#bytes = tail.length > MAX_LENGTH ? new Uint8Array(0) : withoutExecuted(tail);
  }
}

function lastIntroducer(bytes: Uint8Array): number {
  const escape = bytes.lastIndexOf(ESCAPE);
  for (let at = bytes.length - 2; at > escape; at--) {
    if (bytes[at] === C1_LEAD && C1_INTRODUCERS.has(bytes[at + 1] ?? 0)) return at;
  }
  return escape;
}

/**
 * Removes control characters inside of a control sequence, which the terminal has executed already.
 */
function withoutExecuted(tail: Uint8Array): Uint8Array {
  const [first, second] = tail;
  const isString =
    first === ESCAPE ? STRING_INTRODUCERS.has(second ?? 0) : first === C1_LEAD && second !== C1_CSI;
  return isString ? tail : tail.filter((byte) => byte >= 0x20 || byte === ESCAPE);
}
