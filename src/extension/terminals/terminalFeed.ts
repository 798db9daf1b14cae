import { SequenceTracker } from './sequenceTracker.ts';

/** How many bytes may be on their way to the terminal; as many as to a built-in one. More are late for Ctrl-C. */
export const WINDOW_BYTES = 128 * 1024;
/** After so many bytes the terminal is asked whether it has got there. */
const PROBE_BYTES = 32 * 1024;
/** Within a string that long (an image) no question fits: it is taken as shown, or everything would wait for its end. */
const MAX_UNASKED_BYTES = WINDOW_BYTES / 2;
/** Device status report: every terminal answers it, in the order of what it was sent. */
const PROBE = '\u001b[5n';
const PROBE_REPLY = /\u001b\[0n/g;
/** The editor's own: it shows the place beside the line and on the scroll bar, and has commands that go from one to the next. */
const MARK = '\u001b]633;SetMark\u0007';
/** Ends whatever sequence is under way, then resets, scrollback included. */
const RESET = '\u0018\u001bc';

/**
 * Feeds a terminal that takes text without ever pushing back: bytes become text here, and nowhere else, and what the
 * terminal has really shown is known from its answers to questions mixed in between.
 */
export class TerminalFeed {
  readonly #write: (text: string) => void;
  readonly #acknowledge: (bytes: number) => void;
  readonly #tracker = new SequenceTracker();
  /** Whose answers are to come, in order: a program's, or ours, worth that many bytes. */
  readonly #expected: ('program' | number)[] = [];
  #decoder = new TextDecoder();
  #unaskedBytes = 0;
  #isMarkDue = false;

  constructor(write: (text: string) => void, acknowledge: (bytes: number) => void) {
    this.#write = write;
    this.#acknowledge = acknowledge;
  }

  /** Shows what a program printed. */
  output(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#tracker.feed(text);
    for (let i = this.#tracker.takeStatusQueries(); i > 0; i--) this.#expected.push('program');
    this.#unaskedBytes += bytes.length;
    this.#write(text + this.#mark() + this.#probe());
  }

  /** Marks the line where the output is now, in the terminal alone; after the sequence that is under way, if one is. */
  mark(): void {
    this.#isMarkDue = true;
    const mark = this.#mark();
    if (mark !== '') this.#write(mark);
  }

  /** Forgets what was shown, and shows this instead. */
  reset(state: Uint8Array): void {
    this.#decoder = new TextDecoder();
    this.#tracker.reset();
    this.#write(RESET);
    this.output(state);
  }

  /** Takes the answers to our own questions out of what the terminal sends; the rest is for the program. */
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
