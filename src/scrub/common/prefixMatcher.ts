/** A beginning of the text that does not continue, or the whole text. */
export interface MatchedPrefix {
  readonly offsets: readonly number[];
  /** The bytes of the output before it, which show where a program draws it. */
  readonly before: number;
  readonly isWhole: boolean;
  /** A letter or digit follows directly. */
  readonly isInWord: boolean;
}

/** Shared, since most bytes match nothing. */
const NONE: readonly MatchedPrefix[] = [];

/**
 * Finds a text and its beginnings in a stream, byte by byte. Of overlapping ones, it finds the
 * longest (Knuth-Morris-Pratt algorithm).
 */
export class PrefixMatcher {
  readonly #needle: Uint8Array;
  /** For each position, the length of the needle's prefix that ends there. */
  readonly #overlaps: Int32Array;
  /** Ring buffers of the latest bytes, as many as the needle is long. */
  readonly #offsets: Float64Array;
  readonly #before: Uint32Array;
  #matched = 0;
  #count = 0;

  constructor(needle: Uint8Array) {
    this.#needle = needle;
    this.#offsets = new Float64Array(needle.length);
    this.#before = new Uint32Array(needle.length);
    this.#overlaps = new Int32Array(needle.length);
    // `!`: a match is never longer than the needle.
    for (let at = 1, length = 0; at < needle.length; at++) {
      while (length > 0 && needle[at] !== needle[length]) length = this.#overlaps[length - 1]!;
      if (needle[at] === needle[length]) length++;
      this.#overlaps[at] = length;
    }
  }

  /** @param before the four bytes of the output before this one */
  push(byte: number, offset: number, before: number): readonly MatchedPrefix[] {
    const needle = this.#needle;
    let found = NONE;
    if (this.#matched > 0 && needle[this.#matched] !== byte) {
      const last = this.#offsets[(this.#count - 1) % needle.length];
      found = [this.#prefix(false, offset - 1 === last && isWordByte(byte))];
      // `!`: as above.
      while (this.#matched > 0 && needle[this.#matched] !== byte)
        this.#matched = this.#overlaps[this.#matched - 1]!;
    }
    const slot = this.#count++ % needle.length;
    this.#offsets[slot] = offset;
    this.#before[slot] = before;
    if (needle[this.#matched] === byte) this.#matched++;
    if (this.#matched === needle.length) {
      // `!`: as above.
      found = [...found, this.#prefix(true, false)];
      this.#matched = this.#overlaps[needle.length - 1]!;
    }
    return found;
  }

  /** @returns the beginning of the text at the end of the stream */
  end(): readonly MatchedPrefix[] {
    return this.#matched > 0 ? [this.#prefix(false, false)] : NONE;
  }

  #prefix(isWhole: boolean, isInWord: boolean): MatchedPrefix {
    const { length } = this.#needle;
    const start = this.#count - this.#matched;
    const offsets = Array.from(
      { length: this.#matched },
      // `!`: the ring holds the latest bytes of the match.
      (_, index) => this.#offsets[(start + index) % length]!,
    );
    return { offsets, before: this.#before[start % length]!, isWhole, isInWord };
  }
}

function isWordByte(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}
