const ESCAPE = 0x1b;
/** Longer titles are ignored. */
const MAX_TITLE_BYTES = 4096;
/** A sequence that sets a title (0: title and icon name, 2: title) or reports a state (7501). */
const SEQUENCE = /\x1b\](0|2|7501);([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
/** An incomplete sequence at the end of a chunk. */
const OPEN = /\x1b(?:\](?:[02]|7(?:5(?:01?)?)?)?(?:;[^\x07\x1b]*\x1b?)?)?$/;
const STATE = '7501';

export interface TitleListeners {
  onTitle(title: string): void;
  /** @param state as reported by the program, for example `state=working:app=codex` */
  onState(state: string): void;
}

/** Detects titles and reported states in a program's output. Stays fast in a flood of output. */
export class TerminalTitles {
  readonly #listeners: TitleListeners;
  /** The start of an incomplete sequence. */
  #open = '';

  constructor(listeners: TitleListeners) {
    this.#listeners = listeners;
  }

  push(chunk: Uint8Array): void {
    if (this.#open === '' && !chunk.includes(ESCAPE)) return;
    // One character per byte, because a chunk may end within a UTF-8 character.
    const text = this.#open + Buffer.from(chunk).toString('latin1');
    for (const [, number, encoded = ''] of text.matchAll(SEQUENCE)) {
      const content = Buffer.from(encoded, 'latin1').toString('utf8');
      if (number === STATE) this.#listeners.onState(content);
      else this.#listeners.onTitle(content);
    }
    const open = OPEN.exec(text.slice(-MAX_TITLE_BYTES));
    this.#open = open?.[0] ?? '';
  }
}
