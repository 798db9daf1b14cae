const ESCAPE = 0x1b;
const BELL = 0x07;
const DELETE = 0x7f;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
/** Colours, modes, questions, what is erased behind the cursor: what follows stands right behind what was before. */
const SAME_PLACE = 'mhlKXPncqtuxp';
/** Moves within the line. */
const SAME_LINE = 'CG`a';

/** A text as it is read, and where its characters are. */
export interface PrintedPiece {
  /** One character for each byte. */
  readonly text: string;
  /** The byte of each character in what was pushed; -1 for a blank that stands for something else. */
  readonly offsets: ArrayLike<number>;
}

/**
 * The text in what a program prints: escape sequences are left out, those that move the cursor separate words or lines.
 * Titles and other strings that are not shown on the screen are lines of their own.
 */
export class PrintedText {
  #state: 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape' = 'text';
  /** Made of bytes, for a text that grows letter by letter is slow to read. */
  #letters = Buffer.alloc(0);
  #offsets = new Int32Array(0);
  #count = 0;

  push(bytes: Uint8Array): PrintedPiece {
    // A string that ends and another that begins are two blanks for one byte, where the escape came before.
    this.#letters = Buffer.allocUnsafe(bytes.length + 2);
    this.#offsets = new Int32Array(bytes.length + 2);
    this.#count = 0;
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
        // As terminals do: a sequence that begins in a string ends it.
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
    if (!SAME_PLACE.includes(final)) this.#blank(SAME_LINE.includes(final) ? SPACE : NEWLINE);
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
