import { allowedCommand, allowedControl, allowedEscape } from './allowedSequences.ts';

const ESCAPE = 0x1b;
const BELL = 0x07;
const DELETE = 0x7f;
/** CAN and SUB cancel a sequence. */
const CANCELS = new Set([0x18, 0x1a]);
/** Backspace, tab, line feeds, carriage return, and the shifts of character sets. */
const DRAWING_CONTROLS = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f]);
/** IND, NEL and HTS as one character, and as escape sequences. */
const DRAWING_C1 = new Map([
  [0x84, '\x1bD'],
  [0x85, '\x1bE'],
  [0x88, '\x1bH'],
]);
const STRING_END = 0x9c;
const C1_TO_ESCAPE = 0x40;
/** More is dropped: no sequence that draws is longer, and titles are cut. */
const MAX_COLLECTED = 1024;

type State = 'ground' | 'escape' | 'control' | 'ignored control' | 'command' | 'ignored string';

/** States by the character after ESC. */
const INTRODUCED = new Map<string, State>([
  ['[', 'control'],
  [']', 'command'],
  ['P', 'ignored string'],
  ['X', 'ignored string'],
  ['^', 'ignored string'],
  ['_', 'ignored string'],
]);

/**
 * Passes on only what draws: text, and sequences of the list in `allowedSequences.ts`. Everything
 * else that a terminal might act on or answer is dropped: the output is parsed with the states of
 * DEC's terminals (vt100.net/emu/dec_ansi_parser), and each allowed sequence is written anew. Text
 * stays byte for byte; bytes that are not UTF-8 become U+FFFD, because some terminals take them for
 * control characters.
 */
export class DrawingFilter {
  readonly #isColored: boolean;
  /** Keeps the bytes of a character that is split between two calls. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #state: State = 'ground';
  #collected = '';

  constructor({ isColored }: { readonly isColored: boolean }) {
    this.#isColored = isColored;
  }

  /** Returns the allowed part of these bytes and of a sequence that began in earlier ones. */
  push(bytes: Uint8Array): string {
    let passed = '';
    for (const character of this.#decoder.decode(bytes, { stream: true }))
      passed += this.#take(character);
    return passed;
  }

  #take(character: string): string {
    // `!`: a character of a string is never empty.
    const code = character.codePointAt(0)!;
    if (code === ESCAPE) return this.#leaveFor('escape');
    if (CANCELS.has(code)) return this.#cancel();
    if (code >= 0x80 && code < 0xa0) return this.#takeC1(code);
    switch (this.#state) {
      case 'ground':
        return code < 0x20 || code === DELETE ? control(code) : character;
      case 'escape':
        return this.#takeInEscape(character, code);
      case 'control':
      case 'ignored control':
        return this.#takeInControl(character, code);
      case 'command':
        if (code === BELL) return this.#leaveFor('ground');
        this.#collect(character, 'ignored string');
        return '';
      case 'ignored string':
        // BEL ends operating system commands and, in some terminals, other strings, too.
        if (code === BELL) this.#state = 'ground';
        return '';
    }
  }

  #takeC1(code: number): string {
    const introduced = INTRODUCED.get(String.fromCharCode(code - C1_TO_ESCAPE));
    if (introduced) return this.#leaveFor(introduced);
    const ended = code === STRING_END ? this.#leaveFor('ground') : this.#cancel();
    return ended + (DRAWING_C1.get(code) ?? '');
  }

  #takeInEscape(character: string, code: number): string {
    if (code < 0x20 || code === DELETE) return control(code);
    const introduced = this.#collected === '' ? INTRODUCED.get(character) : undefined;
    if (introduced) return this.#leaveFor(introduced);
    this.#collect(character, 'ignored control');
    if (code < 0x30) return '';
    const text = this.#collected;
    this.#cancel();
    return code < DELETE ? allowedEscape(text) : '';
  }

  #takeInControl(character: string, code: number): string {
    if (code < 0x20 || code === DELETE) return control(code);
    const isIgnored = this.#state === 'ignored control';
    this.#collect(character, 'ignored control');
    if (code < 0x40) return '';
    const text = this.#collected;
    this.#cancel();
    const [, prefix, parameters, intermediates, final] =
      /^([<=>?]?)([\d;:]*)([ -/]*)([@-~])$/.exec(text) ?? [];
    if (isIgnored || final === undefined) return '';
    // `!`: all groups take part in a match.
    const parts = {
      prefix: prefix!,
      parameters: parameters!,
      intermediates: intermediates!,
      final,
    };
    return allowedControl(parts, this.#isColored);
  }

  #collect(character: string, ifTooLong: State): void {
    if (this.#collected.length < MAX_COLLECTED) this.#collected += character;
    else this.#state = ifTooLong;
  }

  /** Ends a string, which may be a command that is passed on. */
  #leaveFor(next: State): string {
    const passed = this.#state === 'command' ? allowedCommand(this.#collected) : '';
    this.#state = next;
    this.#collected = '';
    return passed;
  }

  #cancel(): string {
    this.#state = 'ground';
    this.#collected = '';
    return '';
  }
}

function control(code: number): string {
  return DRAWING_CONTROLS.has(code) ? String.fromCharCode(code) : '';
}
