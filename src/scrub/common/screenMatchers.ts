import { ByteMatcher, type MatchedOffsets } from './byteMatcher.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const BAR = 0x7c;

/** The bytes of a text that a program may wrap. */
export function wrappedBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text.replaceAll(/\s+/g, ' ').trim());
}

/**
 * Finds a text in lines that a program wrapped itself, with blanks and a frame between the parts of
 * the text. A line end may replace a blank of the text or stand between two of its characters.
 */
export class WrappedMatcher {
  readonly #cut: ByteMatcher;
  readonly #spaced: ByteMatcher;
  readonly #onText: (byte: number, offset: number) => void;
  #isGap = false;
  #isBroken = false;

  /** @param onText receives the stream without line ends and frames */
  constructor(text: string, onText: (byte: number, offset: number) => void = () => {}) {
    this.#onText = onText;
    const shown = wrappedBytes(text);
    this.#cut = new ByteMatcher(shown);
    this.#spaced = new ByteMatcher(shown);
  }

  /** @param byte a byte of visible text, or of a line end */
  push(byte: number, offset: number): MatchedOffsets[] {
    if (byte === NEWLINE || byte === RETURN) this.#isBroken = true;
    // The UTF-8 bytes of frame characters can't be told from those of other non-ASCII characters,
    // so texts with such characters are not found.
    else if (byte === BLANK || byte === BAR || byte >= 0x80) this.#isGap = true;
    else {
      // The bytes of the gap are not removed: a blank stands for it, with the offset of the next
      // letter.
      if (this.#isGap && !this.#isBroken) {
        this.#cut.push(BLANK, offset);
        this.#onText(BLANK, offset);
      }
      if (this.#isGap || this.#isBroken) this.#spaced.push(BLANK, offset);
      this.#isGap = false;
      this.#isBroken = false;
      this.#onText(byte, offset);
      const found = [this.#cut.push(byte, offset), this.#spaced.push(byte, offset)];
      return found.filter((each) => each !== undefined);
    }
    return [];
  }
}

/** `ESC ] 52 ; … ; base64` sets the clipboard. */
const START = /^52;[a-z0-7]*;$/;
const MAX_START = 16;
/** Terminals do not accept longer contents. */
const MAX_BYTES = 4 * 1024 * 1024;
const ESCAPE = 0x1b;
const STRING = 0x5d;
const SEMICOLON = 0x3b;

/** Finds a text in base64-encoded clipboard contents. */
export class ClipboardMatcher {
  readonly #text: string;
  #state: 'none' | 'escape' | 'start' | 'content' = 'none';
  #start = '';
  #content: number[] = [];
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * @returns the offsets of the whole contents, if this byte ends contents that include the text
   */
  push(byte: number, offset: number): MatchedOffsets | undefined {
    switch (this.#state) {
      case 'none':
        if (byte === ESCAPE) this.#state = 'escape';
        return undefined;
      case 'escape':
        this.#state = byte === STRING ? 'start' : byte === ESCAPE ? 'escape' : 'none';
        this.#start = '';
        return undefined;
      case 'start':
        this.#start += String.fromCharCode(byte);
        if (byte === SEMICOLON && START.test(this.#start)) {
          this.#state = 'content';
          this.#content = [];
          this.#offset = offset + 1;
        } else if (byte < BLANK || this.#start.length > MAX_START) {
          this.#state = byte === ESCAPE ? 'escape' : 'none';
        }
        return undefined;
      case 'content':
        if (byte >= BLANK && this.#content.length < MAX_BYTES) this.#content.push(byte);
        else return this.#end(byte);
        return undefined;
    }
  }

  #end(byte: number): MatchedOffsets | undefined {
    this.#state = byte === ESCAPE ? 'escape' : 'none';
    const encoded = this.#content.map((each) => String.fromCharCode(each)).join('');
    const start = this.#offset;
    const offsets = this.#content.map((_, index) => start + index);
    this.#content = [];
    return decoded(encoded).includes(this.#text) ? offsets : undefined;
  }
}

/** Empty for invalid base64, such as a query of the clipboard. */
function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
    );
  } catch {
    // Not base64.
    return '';
  }
}
