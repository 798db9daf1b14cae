const ESCAPE = 0x1b;
/** Longer titles are nobody's. */
const MAX_TITLE_BYTES = 4096;
/** The number says that it is the title, the icon's name too, or both; or that it is the state of the program. */
const SAID = /\x1b\](0|2|7501);([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
const OPEN = /\x1b(?:\](?:[02]|7(?:5(?:01?)?)?)?(?:;[^\x07\x1b]*\x1b?)?)?$/;
const STATE = '7501';

export interface TitleListeners {
  onTitle(title: string): void;
  /** What a program says of its state to whoever shows its terminal, as `state=working:app=codex`. */
  onState(said: string): void;
}

/** Notices the titles that a program gives its terminal, and the states that it tells it. Costs next to nothing in a flood of other output. */
export class TerminalTitles {
  readonly #listeners: TitleListeners;
  /** The beginning of a sequence that is not complete yet. */
  #open = '';

  constructor(listeners: TitleListeners) {
    this.#listeners = listeners;
  }

  push(chunk: Uint8Array): void {
    if (this.#open === '' && !chunk.includes(ESCAPE)) return;
    // Bytes as they are: a chunk may end within a character.
    const text = this.#open + Buffer.from(chunk).toString('latin1');
    for (const [, number, said = ''] of text.matchAll(SAID)) {
      const words = Buffer.from(said, 'latin1').toString('utf8');
      if (number === STATE) this.#listeners.onState(words);
      else this.#listeners.onTitle(words);
    }
    const open = OPEN.exec(text.slice(-MAX_TITLE_BYTES));
    this.#open = open?.[0] ?? '';
  }
}
