import { Sequencer } from '../../base/sequencer.ts';
import type { EchoProbe } from './echoProbe.ts';

/** Time for a program to turn off the echo when a password is typed ahead. */
const SETTLE_MS = 150;
/** If more than this is held, keys are recorded without delay. */
const MAX_HELD_BYTES = 32 * 1024;
/** How much of the last output line is kept to recognize a prompt. */
const PROMPT_BYTES = 512;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPES = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?>=<]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
/** Prompts of programs that ask for a secret without turning off the echo. */
const SECRET_PROMPT =
  /(?:pass(?:word|phrase|code)?|passwort|kennwort|\bpin\b|secret|token|api[ _-]?key|one-time code|otp)[^\r\n]{0,80}[:?>]/i;

export interface InputCaptureParts {
  readonly probe: EchoProbe;
  /** Sends keys to the program. */
  write(bytes: Uint8Array): void;
  record(bytes: Uint8Array): void;
}

/**
 * Records typed keys, except those that the screen does not show. The echo is checked before keys
 * are sent and again a moment later; keys are dropped if it is off either time, or if the last
 * output line asks for a secret. Keys are sent only after the first check: the program may turn the
 * echo on again as soon as it has read a line that is pasted as a whole.
 */
export class InputCapture {
  readonly #parts: InputCaptureParts;
  readonly #sending = new Sequencer();
  #waitingBytes = 0;
  #tail = Buffer.alloc(0);
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isOn = true;
  #timer: NodeJS.Timeout | undefined;
  readonly #recording = new Sequencer();

  constructor(parts: InputCaptureParts) {
    this.#parts = parts;
  }

  /** Number of bytes that have not been sent to the program yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  type(bytes: Uint8Array): void {
    this.#waitingBytes += bytes.length;
    // Keys typed during a pause are not recorded, even if capture is resumed while they wait.
    const wasOn = this.#isOn;
    void this.#sending.queue(async () => {
      const isShown = await this.#isShown();
      this.#waitingBytes -= bytes.length;
      this.#parts.write(bytes);
      if (isShown && wasOn && this.#isOn) this.#recordLater(bytes);
    });
  }

  /** Pauses or resumes capture. A pause also drops keys that are not recorded yet. */
  set(isOn: boolean): void {
    this.#isOn = isOn;
    if (!isOn) this.#drop();
  }

  /** Call with all output of the program. */
  printed(chunk: Uint8Array): void {
    if (this.#held.length > 0 && this.#isPromptIn(chunk)) this.#keepFirstLine();
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk]).subarray(-PROMPT_BYTES));
  }

  /** Records keys after a short time without further keys, so that one check covers fast typing. */
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
    void this.#recording.queue(async () => {
      if ((await this.#isShown()) && this.#isOn) this.#parts.record(bytes);
    });
  }

  /**
   * Whether the screen shows typed keys. Looks for a prompt twice: it may appear during the probe.
   */
  async #isShown(): Promise<boolean> {
    return !this.#hasPrompt() && (await this.#parts.probe()) === 'on' && !this.#hasPrompt();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** Whether the last output line asks for a secret, which is typed on the same line. */
  #hasPrompt(): boolean {
    const text = textOf(this.#tail);
    const line = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
    return SECRET_PROMPT.test(line);
  }

  /** Whether new output asks for a secret: held keys may be an answer typed ahead. */
  #isPromptIn(chunk: Uint8Array): boolean {
    const lastLine = this.#tail.subarray(
      Math.max(...[NEWLINE, RETURN].map((end) => this.#tail.lastIndexOf(end))) + 1,
    );
    return SECRET_PROMPT.test(textOf(Buffer.concat([lastLine, chunk])));
  }

  /** Keeps the held keys up to their first line end; the keys after it may be the secret. */
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
