const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into lines of text. Decodes whole lines, so no character is cut in two.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #maxBytes: number;
  readonly #onTooLong: () => void;
  #parts: Buffer[] = [];
  #length = 0;

  /**
   * @param maxBytes longer lines are skipped
   * @param onTooLong called once for each such line, as soon as it is too long
   */
  constructor(onLine: (line: string) => void, maxBytes: number, onTooLong = (): void => {}) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  /** Takes bytes, which may be overwritten afterwards. */
  push(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#add(bytes.subarray(start, end));
      this.end();
      start = end + 1;
    }
    if (start < bytes.length) this.#add(Buffer.from(bytes.subarray(start)));
  }

  /** Ends the current line. */
  end(): void {
    const isTooLong = this.#length > this.#maxBytes;
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.reset();
    if (!isTooLong) this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  /** Ends the current line if it has any bytes. */
  flush(): void {
    if (this.#length > 0) this.end();
  }

  /** Forgets the current line. */
  reset(): void {
    this.#parts = [];
    this.#length = 0;
  }

  #add(bytes: Buffer): void {
    const wasTooLong = this.#length > this.#maxBytes;
    this.#length += bytes.length;
    if (this.#length <= this.#maxBytes) this.#parts.push(bytes);
    else if (!wasTooLong) {
      this.#parts = [];
      this.#onTooLong();
    }
  }
}
