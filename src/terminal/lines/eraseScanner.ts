// The `!`s in this file are safe: indexes are within bounds. Checks would slow this hot path.
const ESCAPE = 0x1b;
const DELETE = 0x7f;
const C1_LEAD = 0xc2;
const C1_CSI = 0x9b;
const LEFT_BRACKET = 0x5b;
const DIGIT_THREE = 0x33;
const ERASE_IN_DISPLAY = 0x4a;
const FULL_RESET = 0x63;

/**
 * Finds sequences that may erase the scrollback (`CSI 3 J`, `CSI ? 3 J`, `ESC c`), many times
 * faster than the parser: searches for final characters, then backwards from there. May report text
 * that is no such sequence, for example inside a string, but never misses one.
 */
export class EraseScanner {
  // The state at the end of the previous bytes.
  #isAfterEscape = false;
  #isInSequence = false;
  #hasThree = false;

  /**
   * Whether a sequence that may erase the scrollback ends in `bytes`, the next bytes of the output.
   */
  scan(bytes: Uint8Array): boolean {
    const isFound = this.#find(bytes);
    this.#rememberEnd(bytes);
    return isFound;
  }

  #find(bytes: Uint8Array): boolean {
    const isBegun = this.#isAfterEscape || this.#isInSequence;
    if (!isBegun && !bytes.includes(ESCAPE) && !bytes.includes(C1_CSI)) return false;
    for (let at = nextFinal(bytes, 0); at < bytes.length; at = nextFinal(bytes, at + 1)) {
      const isErase =
        bytes[at] === FULL_RESET
          ? this.#isEscapeBefore(bytes, at)
          : this.#sequenceBefore(bytes, at) === 'with 3';
      if (isErase) return true;
    }
    return false;
  }

  #rememberEnd(bytes: Uint8Array): void {
    const isAfterEscape = this.#isEscapeBefore(bytes, bytes.length);
    const sequence = this.#sequenceBefore(bytes, bytes.length);
    this.#isAfterEscape = isAfterEscape;
    this.#isInSequence = sequence !== undefined;
    this.#hasThree = sequence === 'with 3';
  }

  #isEscapeBefore(bytes: Uint8Array, end: number): boolean {
    for (let at = end - 1; at >= 0; at--) {
      const byte = bytes[at]!;
      if (byte === ESCAPE) return true;
      if (byte >= 0x20 && byte < DELETE) return false;
    }
    return this.#isAfterEscape;
  }

  /** Whether the parameters of a control sequence end at `end`, and whether they contain a 3. */
  #sequenceBefore(bytes: Uint8Array, end: number): 'with 3' | 'without 3' | undefined {
    let hasThree = false;
    for (let at = end - 1; at >= 0; at--) {
      const byte = bytes[at]!;
      if (byte === DIGIT_THREE) hasThree = true;
      const isStart =
        byte === LEFT_BRACKET
          ? this.#isEscapeBefore(bytes, at)
          : byte === C1_CSI && (at === 0 || bytes[at - 1] === C1_LEAD);
      if (isStart) return hasThree ? 'with 3' : 'without 3';
      if ((byte >= 0x40 && byte < DELETE) || byte === ESCAPE) return undefined;
    }
    if (!this.#isInSequence) return undefined;
    return hasThree || this.#hasThree ? 'with 3' : 'without 3';
  }
}

/**
 * Finds the next `c` or `J` that does not follow a letter. In text almost all do, so few are left.
 */
function nextFinal(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte !== FULL_RESET && byte !== ERASE_IN_DISPLAY) continue;
    const before = at === 0 ? 0 : bytes[at - 1]!;
    if (before < 0x40 || before >= DELETE) return at;
  }
  return bytes.length;
}
