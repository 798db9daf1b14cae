const ESCAPE = 0x1b;
const BELL = 0x07;
const DELETE = 0x7f;
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
  readonly offsets: readonly number[];
}

/**
 * The text in what a program prints: escape sequences are left out, those that move the cursor separate words or lines.
 * Titles and other strings that are not shown on the screen are lines of their own.
 */
export class PrintedText {
  #state: 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape' = 'text';
  #text = '';
  #offsets: number[] = [];

  push(bytes: Uint8Array): PrintedPiece {
    for (const [offset, byte] of bytes.entries()) this.#take(byte, offset);
    const piece = { text: this.#text, offsets: this.#offsets };
    this.#text = '';
    this.#offsets = [];
    return piece;
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
      this.#blank('\n');
    } else this.#state = byte >= 0x20 && byte < 0x30 ? 'intermediate' : 'text';
  }

  #moved(final: string): void {
    this.#state = 'text';
    if (!SAME_PLACE.includes(final)) this.#blank(SAME_LINE.includes(final) ? ' ' : '\n');
  }

  #endString(): void {
    this.#state = 'text';
    this.#blank('\n');
  }

  #print(byte: number, offset: number): void {
    if (byte === 0x0a || byte === 0x0d) this.#blank('\n');
    else if (byte === 0x09) this.#blank(' ');
    else if (byte >= 0x20 && byte !== DELETE) {
      this.#text += String.fromCharCode(byte);
      this.#offsets.push(offset);
    }
  }

  #blank(character: string): void {
    this.#text += character;
    this.#offsets.push(-1);
  }
}
