/** The offsets of the bytes of a match, which need not be adjacent. */
export type MatchedOffsets = readonly number[];

/** Finds a byte sequence in a stream, byte by byte (Knuth-Morris-Pratt algorithm). */
export class ByteMatcher {
  readonly #needle: Uint8Array;
  /**
   * For each position, the length of the needle's prefix that ends there. The `!`s are safe because
   * a match is never longer than the needle.
   */
  readonly #overlaps: Int32Array;
  /** Ring buffer of the offsets of the latest bytes, as many as the needle is long. */
  readonly #offsets: Float64Array;
  #matched = 0;
  #count = 0;

  constructor(needle: Uint8Array) {
    this.#needle = needle;
    this.#offsets = new Float64Array(needle.length);
    this.#overlaps = new Int32Array(needle.length);
    for (let at = 1, length = 0; at < needle.length; at++) {
      while (length > 0 && needle[at] !== needle[length]) length = this.#overlaps[length - 1]!;
      if (needle[at] === needle[length]) length++;
      this.#overlaps[at] = length;
    }
  }

  /** @returns the offsets of a match that ends with this byte */
  push(byte: number, offset: number): MatchedOffsets | undefined {
    const needle = this.#needle;
    this.#offsets[this.#count++ % needle.length] = offset;
    while (this.#matched > 0 && needle[this.#matched] !== byte) {
      this.#matched = this.#overlaps[this.#matched - 1]!;
    }
    if (needle[this.#matched] === byte) this.#matched++;
    if (this.#matched < needle.length) return undefined;
    this.#matched = this.#overlaps[needle.length - 1]!;
    return Array.from(this.#offsets);
  }
}

const ESCAPE = 0x1b;
const BELL = 0x07;
const DELETE = 0x7f;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;

/** Distinguishes text from controls and escape sequences in terminal output. */
export class VisibleBytes {
  #state: 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape' = 'text';

  isText(byte: number): boolean {
    switch (this.#state) {
      case 'text':
        if (byte === ESCAPE) this.#state = 'escape';
        return byte >= 0x20 && byte !== DELETE;
      case 'escape':
        // A terminal executes other controls and continues with the sequence.
        if (byte === 0x5b) this.#state = 'csi';
        else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
          this.#state = 'string';
        else if (byte >= 0x30 || byte === CANCEL || byte === SUBSTITUTE) this.#state = 'text';
        else if (byte >= 0x20) this.#state = 'intermediate';
        return false;
      case 'intermediate':
        if (byte === ESCAPE) this.#state = 'escape';
        else if (byte >= 0x30 || byte === CANCEL || byte === SUBSTITUTE) this.#state = 'text';
        return false;
      case 'csi':
        if (byte === ESCAPE) this.#state = 'escape';
        else if (byte >= 0x40 || byte === CANCEL || byte === SUBSTITUTE) this.#state = 'text';
        return false;
      case 'string':
        if (byte === BELL || byte === CANCEL || byte === SUBSTITUTE) this.#state = 'text';
        else if (byte === ESCAPE) this.#state = 'stringEscape';
        return false;
      case 'stringEscape':
        // Another character after ESC begins a new sequence, which ends the string, as in
        // terminals.
        this.#state = byte === 0x5c ? 'text' : 'escape';
        return byte === 0x5c ? false : this.isText(byte);
    }
  }
}
