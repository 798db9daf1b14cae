import { Sequencer } from '../../base/sequencer.ts';
import type { EchoProbe } from './echoProbe.ts';

/** A program that is about to ask for a password gets this long to hide what is typed ahead. */
const SETTLE_MS = 150;
/** A record holds no more. */
const MAX_HELD_BYTES = 32 * 1024;
/** Enough of the last line of output to know a question by. */
const PROMPT_BYTES = 512;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPES = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?>=<]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
/** For programs that ask for a secret and show what is typed, or stars for it, behind the question. */
const SECRET_PROMPT =
  /(?:pass(?:word|phrase|code)?|passwort|kennwort|\bpin\b|secret|token|api[ _-]?key|one-time code|otp)[^\r\n]{0,80}[:?>]/i;

export interface InputCaptureParts {
  readonly probe: EchoProbe;
  /** Passes keys on to the program. */
  write(bytes: Uint8Array): void;
  record(bytes: Uint8Array): void;
}

/**
 * Records what is typed, but for what a person would not see on the screen: the terminal is asked before the keys go on and
 * again a moment later, and if its echo is off either time, or the last line asks for a secret, they are forgotten. Keys
 * wait for the first answer: afterwards it would be too late for a line that is pasted whole.
 */
export class InputCapture {
  readonly #parts: InputCaptureParts;
  readonly #order = new Sequencer();
  #waitingBytes = 0;
  #tail = Buffer.alloc(0);
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isOn = true;
  #timer: NodeJS.Timeout | undefined;
  readonly #looks = new Sequencer();

  constructor(parts: InputCaptureParts) {
    this.#parts = parts;
  }

  /** Keys that have not reached the program yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  type(bytes: Uint8Array): void {
    this.#waitingBytes += bytes.length;
    void this.#order.queue(async () => {
      const isSeen = await this.#isSeen();
      this.#waitingBytes -= bytes.length;
      this.#parts.write(bytes);
      if (isSeen && this.#isOn) this.#recordLater(bytes);
    });
  }

  /** Whether anything is recorded from now on; what waits to be is forgotten with the rest. */
  set(isOn: boolean): void {
    this.#isOn = isOn;
    if (!isOn) this.#forget();
  }

  /** What the program printed. */
  printed(chunk: Uint8Array): void {
    if (this.#held.length > 0 && this.#isAskedIn(chunk)) this.#keepFirstLine();
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk]).subarray(-PROMPT_BYTES));
  }

  /** Together, when no more come for a moment: what is typed faster than one can look is kept or forgotten as a whole. */
  #recordLater(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    clearTimeout(this.#timer);
    const isMuch = this.#heldBytes > MAX_HELD_BYTES;
    this.#timer = setTimeout(() => this.#release(), isMuch ? 0 : SETTLE_MS);
  }

  #release(): void {
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    void this.#looks.queue(async () => {
      if ((await this.#isSeen()) && this.#isOn) this.#parts.record(bytes);
    });
  }

  /** Where nobody knows, nobody sees. */
  async #isSeen(): Promise<boolean> {
    return !this.#isSecretAsked() && (await this.#parts.probe()) === 'on' && !this.#isSecretAsked();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** For as long as the question's own line goes on: what is typed stands behind it. */
  #isSecretAsked(): boolean {
    const text = textOf(this.#tail);
    const line = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
    return SECRET_PROMPT.test(line);
  }

  /** Also where the question is over already, for what waited was the answer to it. */
  #isAskedIn(chunk: Uint8Array): boolean {
    const lastLine = this.#tail.subarray(
      Math.max(...[NEWLINE, RETURN].map((end) => this.#tail.lastIndexOf(end))) + 1,
    );
    return SECRET_PROMPT.test(textOf(Buffer.concat([lastLine, chunk])));
  }

  /** What waits led to the question up to its first line's end; the rest may be the answer. */
  #keepFirstLine(): void {
    const bytes = Buffer.concat(this.#held);
    const ends = [NEWLINE, RETURN].map((end) => bytes.indexOf(end)).filter((at) => at >= 0);
    const first = bytes.subarray(0, Math.min(...ends, bytes.length - 1) + 1);
    this.#held = [first];
    this.#heldBytes = first.length;
  }
}

function textOf(output: Buffer): string {
  return output.toString('latin1').replace(ESCAPES, '');
}
