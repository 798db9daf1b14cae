import { SequenceTracker } from './sequenceTracker.ts';

/**
 * Most bytes that the terminal may not have shown yet, as in built-in terminals. A higher limit
 * would delay Ctrl-C.
 */
export const WINDOW_BYTES = 128 * 1024;
/** Bytes between two status queries. */
const PROBE_BYTES = 32 * 1024;
/**
 * A long string sequence, such as an image, leaves no place for a query: after this many bytes its
 * output counts as shown.
 */
const MAX_UNASKED_BYTES = WINDOW_BYTES / 2;
/** Device status query. A terminal answers it after it has processed the output before it. */
const PROBE = '\u001b[5n';
const PROBE_REPLY = /\u001b\[0n/g;
/**
 * A sequence of VS Code that marks a line in the gutter and the scroll bar, where commands for
 * scrolling stop.
 */
const MARK = '\u001b]633;SetMark\u0007';
/** Cancels an open sequence, then resets the terminal and its scrollback. */
const RESET = '\u0018\u001bc';

/**
 * Decodes output for a VS Code terminal, which has no flow control: replies to status queries in
 * the output tell how much the terminal has shown.
 */
export class TerminalFeed {
  readonly #write: (text: string) => void;
  readonly #acknowledge: (bytes: number) => void;
  readonly #tracker = new SequenceTracker();
  /**
   * Expected replies in order: `program` for a query of the program; for one of ours, the number of
   * bytes that the reply acknowledges.
   */
  readonly #expected: ('program' | number)[] = [];
  #decoder = new TextDecoder();
  #unaskedBytes = 0;
  #isMarkDue = false;

  constructor(write: (text: string) => void, acknowledge: (bytes: number) => void) {
    this.#write = write;
    this.#acknowledge = acknowledge;
  }

  /** Writes program output. */
  output(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#tracker.feed(text);
    for (let i = this.#tracker.takeStatusQueries(); i > 0; i--) this.#expected.push('program');
    this.#unaskedBytes += bytes.length;
    this.#write(text + this.#mark() + this.#probe());
  }

  /** Marks the current line in the terminal, after an open escape sequence has ended. */
  mark(): void {
    this.#isMarkDue = true;
    const mark = this.#mark();
    if (mark !== '') this.#write(mark);
  }

  /** Replaces the terminal's content. */
  reset(state: Uint8Array): void {
    this.#decoder = new TextDecoder();
    this.#tracker.reset();
    this.#write(RESET);
    this.output(state);
  }

  /** Removes replies to our own queries from the input; the rest is for the program. */
  takeReplies(input: string): string {
    if (this.#expected.length === 0) return input;
    return input.replace(PROBE_REPLY, (reply) => {
      const origin = this.#expected.shift();
      if (typeof origin !== 'number') return reply;
      this.#acknowledge(origin);
      return '';
    });
  }

  #mark(): string {
    if (!this.#isMarkDue || !this.#tracker.isGround) return '';
    this.#isMarkDue = false;
    return MARK;
  }

  #probe(): string {
    if (this.#unaskedBytes < PROBE_BYTES) return '';
    const bytes = this.#unaskedBytes;
    if (this.#tracker.isGround) {
      this.#unaskedBytes = 0;
      this.#expected.push(bytes);
      return PROBE;
    }
    if (bytes > MAX_UNASKED_BYTES) {
      this.#unaskedBytes = 0;
      this.#acknowledge(bytes);
    }
    return '';
  }
}
