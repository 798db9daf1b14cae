/**
 * Characters that start a sequence: ESC, and the single-character forms of DCS, SOS, CSI, OSC, PM
 * and APC.
 */
const INTRODUCER = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g;
const STRING_END = /[\u0007\u0018\u001a\u001b\u009c]/g;
const ESC = 0x1b;
const CAN = 0x18;
const SUB = 0x1a;
const CSI = 0x9b;
/** Longer parameters are cut: the only query of interest has one parameter character. */
const MAX_PARAMETERS = 8;

type State = 'ground' | 'escape' | 'control' | 'string';

/**
 * Parses output only as far as needed to find places where text can be inserted, and to count the
 * program's status queries, which must not be mistaken for those of our flow control.
 */
export class SequenceTracker {
  #state: State = 'ground';
  #parameters = '';
  #statusQueries = 0;

  /** Whether the output is outside of escape sequences. */
  get isGround(): boolean {
    return this.#state === 'ground';
  }

  /** @returns how many device status queries (`CSI 5 n`) were found since the last call */
  takeStatusQueries(): number {
    const count = this.#statusQueries;
    this.#statusQueries = 0;
    return count;
  }

  reset(): void {
    this.#state = 'ground';
    this.#statusQueries = 0;
  }

  feed(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#state === 'ground') at = this.#skipTo(INTRODUCER, text, at);
      else if (this.#state === 'string') at = this.#skipTo(STRING_END, text, at);
      else this.#step(text.charCodeAt(at++));
    }
  }

  /** Skips to the next match of `pattern` and handles it. */
  #skipTo(pattern: RegExp, text: string, from: number): number {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (!match) return text.length;
    const code = text.charCodeAt(match.index);
    if (pattern === STRING_END && code !== ESC) this.#state = 'ground';
    else this.#introduce(code);
    return match.index + 1;
  }

  #introduce(code: number): void {
    this.#parameters = '';
    this.#state = code === ESC ? 'escape' : code === CSI ? 'control' : 'string';
  }

  #step(code: number): void {
    if (code === ESC || (code >= 0x90 && code <= 0x9f)) return this.#introduce(code);
    if (code === CAN || code === SUB) this.#state = 'ground';
    else if (code < 0x20)
      return; // Control characters do not end a sequence.
    else if (this.#state === 'escape') this.#stepEscape(code);
    else if (code >= 0x40) this.#endControl(code);
    else if (this.#parameters.length < MAX_PARAMETERS) {
      this.#parameters += String.fromCharCode(code);
    }
  }

  #stepEscape(code: number): void {
    if (code === 0x5b) this.#introduce(CSI);
    else if ([0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(code)) this.#state = 'string';
    // Lower codes are intermediate characters: another character follows.
    else if (code >= 0x30) this.#state = 'ground';
  }

  #endControl(code: number): void {
    if (code === 0x6e && this.#parameters === '5') this.#statusQueries++;
    this.#state = 'ground';
  }
}
