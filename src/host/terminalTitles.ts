const ESCAPE = 0x1b;
/** Longer titles are nobody's. */
const MAX_TITLE_BYTES = 4096;
/** The number says that it is the title, the icon's name too, or both. */
const TITLE = /\x1b\][02];([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
const OPEN = /\x1b(?:\][02]?(?:;[^\x07\x1b]*\x1b?)?)?$/;

/** Notices the titles that a program gives its terminal. Costs next to nothing in a flood of other output. */
export class TerminalTitles {
  readonly #onTitle: (title: string) => void;
  /** The beginning of a sequence that is not complete yet. */
  #open = '';

  constructor(onTitle: (title: string) => void) {
    this.#onTitle = onTitle;
  }

  push(chunk: Uint8Array): void {
    if (this.#open === '' && !chunk.includes(ESCAPE)) return;
    // Bytes as they are: a chunk may end within a character.
    const text = this.#open + Buffer.from(chunk).toString('latin1');
    for (const [, title = ''] of text.matchAll(TITLE)) {
      this.#onTitle(Buffer.from(title, 'latin1').toString('utf8'));
    }
    const open = OPEN.exec(text.slice(-MAX_TITLE_BYTES));
    this.#open = open?.[0] ?? '';
  }
}
