const ESCAPE = 0x1b;
const BELL = 0x07;
const DELETE = 0x7f;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
/** Final bytes of sequences that do not move the cursor: colors, modes, queries, erasing. */
const KEEPS_CURSOR = 'mhlKXPncqtuxp';
/** Final bytes of sequences that move the cursor within its line. */
const SAME_LINE = 'CG`a';

/** Readable text, and where its characters were in the output. */
export interface PrintedPiece {
  /** One character per byte. */
  readonly text: string;
  /** Offset of each character in the pushed bytes; -1 for a blank that replaces a sequence. */
  readonly offsets: ArrayLike<number>;
}

/**
 * Extracts the readable text from terminal output. Escape sequences are dropped; sequences that
 * move the cursor become blanks or newlines. Titles and other strings that the screen does not show
 * become separate lines.
 */
export class PrintedText {
  #state: 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape' = 'text';
  /** Bytes, because a string built letter by letter is slow to search. */
  #letters = Buffer.alloc(0);
  #offsets = new Int32Array(0);
  #count = 0;

  push(bytes: Uint8Array): PrintedPiece {
    // One byte can add two blanks: it may end a string and start another.
    this.#letters = Buffer.allocUnsafe(bytes.length + 2);
    this.#offsets = new Int32Array(bytes.length + 2);
    this.#count = 0;
    // The `!` is safe: the index is below the length. An iterator would be slower, and this runs
    // for all output.
    for (let offset = 0; offset < bytes.length; offset++) this.#take(bytes[offset]!, offset);
    return {
      text: this.#letters.toString('latin1', 0, this.#count),
      offsets: this.#offsets.subarray(0, this.#count),
    };
  }

  #take(byte: number, offset: number): void {
    switch (this.#state) {
      case 'text':
        if (byte === ESCAPE) this.#state = 'escape';
        else this.#print(byte, offset);
        return;
      case 'escape':
        return this.#escape(byte);
      case 'intermediate':
        if (byte >= 0x30) this.#state = 'text';
        return;
      case 'csi':
        if (byte === ESCAPE) this.#state = 'escape';
        else if (byte === CANCEL || byte === SUBSTITUTE) this.#state = 'text';
        else if (byte >= 0x40) this.#moved(String.fromCharCode(byte));
        return;
      case 'string':
        if (byte === BELL || byte === CANCEL || byte === SUBSTITUTE) this.#endString();
        else if (byte === ESCAPE) this.#state = 'stringEscape';
        else this.#print(byte, offset);
        return;
      case 'stringEscape':
        this.#endString();
        // As in a terminal, a sequence inside a string ends the string.
        if (byte !== 0x5c) this.#escape(byte);
    }
  }

  #escape(byte: number): void {
    if (byte === 0x5b) this.#state = 'csi';
    else if (byte === ESCAPE) this.#state = 'escape';
    else if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(byte)) {
      this.#state = 'string';
      this.#blank(NEWLINE);
    } else this.#state = byte >= 0x20 && byte < 0x30 ? 'intermediate' : 'text';
  }

  #moved(final: string): void {
    this.#state = 'text';
    if (!KEEPS_CURSOR.includes(final)) this.#blank(SAME_LINE.includes(final) ? SPACE : NEWLINE);
  }

  #endString(): void {
    this.#state = 'text';
    this.#blank(NEWLINE);
  }

  #print(byte: number, offset: number): void {
    if (byte === 0x0a || byte === 0x0d) this.#blank(NEWLINE);
    else if (byte === 0x09) this.#blank(SPACE);
    else if (byte >= 0x20 && byte !== DELETE) {
      this.#letters[this.#count] = byte;
      this.#offsets[this.#count++] = offset;
    }
  }

  #blank(character: number): void {
    this.#letters[this.#count] = character;
    this.#offsets[this.#count++] = -1;
  }
}
