const ESCAPE = 0x1b;
const C1_LEAD = 0xc2;
/** DCS, SOS, CSI, OSC, PM, APC as single characters, by their second UTF-8 byte. */
const C1_INTRODUCERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);
/** What follows ESC when a string follows: P (DCS), X (SOS), ] (OSC), ^ (PM), _ (APC). */
const STRING_INTRODUCERS: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
const C1_CSI = 0x9b;

/** A string longer than that is an image or an attack; who attaches in its middle sees the rest of it as text. */
const MAX_LENGTH = 64 * 1024;

/** The bytes of an escape sequence or character that has begun and not ended: a reader of the state needs them first. */
export class UnfinishedSequence {
  #bytes: Uint8Array = new Uint8Array(0);

  /** `stream` with the unfinished bytes behind it. */
  appendTo(stream: Uint8Array): Uint8Array {
    return this.#bytes.length === 0 ? stream : concatenate(stream, this.#bytes);
  }

  /** Between sequences; within a character, whose first bytes are these. */
  setCharacter(partial: Uint8Array): void {
    this.#bytes = partial.slice();
  }

  /** Within a sequence that began in these bytes or before. */
  extend(bytes: Uint8Array): void {
    // Within any sequence an introducer starts another, so the last one is the one in progress.
    const start = lastIntroducer(bytes);
    const tail = start < 0 ? concatenate(this.#bytes, bytes) : bytes.slice(start);
    this.#bytes = tail.length > MAX_LENGTH ? new Uint8Array(0) : withoutExecuted(tail);
  }
}

function lastIntroducer(bytes: Uint8Array): number {
  const escape = bytes.lastIndexOf(ESCAPE);
  for (let at = bytes.length - 2; at > escape; at--) {
    if (bytes[at] === C1_LEAD && C1_INTRODUCERS.has(bytes[at + 1]!)) return at;
  }
  return escape;
}

/** Control characters within a control sequence take effect at once: they must not do so again. */
function withoutExecuted(tail: Uint8Array): Uint8Array {
  const [first, second] = tail;
  const isString =
    first === ESCAPE ? STRING_INTRODUCERS.has(second ?? 0) : first === C1_LEAD && second !== C1_CSI;
  return isString ? tail : tail.filter((byte) => byte >= 0x20 || byte === ESCAPE);
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
