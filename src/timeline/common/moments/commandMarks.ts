const ESCAPE = 0x1b;
const BELL = 0x07;
const BACKSLASH = 0x5c;
const BRACKET = 0x5d; // ]
/** Shells send a whole command line in one sequence; longer sequences are ignored. */
const MAX_SEQUENCE_BYTES = 8192;

const COMMAND_OPTION = 'cmdline_url=';

/** The start or end of a command, as a shell announces it with OSC 133 or OSC 633. */
export interface CommandMark {
  /** Bytes of output before the end of the sequence. */
  readonly byteOffset: number;
  readonly kind: 'started' | 'finished';
  /** The command line, if the shell sent it. */
  readonly command?: string;
  readonly exitCode?: number;
}

const decoder = new TextDecoder('utf-8');

/** Finds the marks of shell integration in a stream of output, also across chunks. */
export class CommandMarkScanner {
  #held: number[] = [];
  #isInside = false;
  #command: string | undefined;
  /** Between the start and the end of a command. */
  #isRunning = false;

  /** Whether a sequence is incomplete, so that the next bytes have to be scanned too. */
  get isWaiting(): boolean {
    return this.#isInside || this.#held.length > 0;
  }

  /** @param startByteOffset byte offset of the first byte */
  scan(bytes: Uint8Array, startByteOffset: number): CommandMark[] {
    const marks: CommandMark[] = [];
    for (let index = 0; index < bytes.length; index++) {
      if (!this.#isInside && this.#held.length === 0) {
        // `indexOf` is native code and skips almost all output.
        const next = bytes.indexOf(ESCAPE, index);
        if (next < 0) break;
        index = next;
      }
      const mark = this.#push(bytes[index] ?? 0, startByteOffset + index + 1);
      if (mark) marks.push(mark);
    }
    return marks;
  }

  #push(byte: number, end: number): CommandMark | undefined {
    if (!this.#isInside) {
      const isIntroducer = this.#held.length === 1 && byte === BRACKET;
      this.#held = byte === ESCAPE ? [byte] : [];
      this.#isInside = isIntroducer;
      return undefined;
    }
    const isEnd = byte === BELL || (byte === BACKSLASH && this.#held.at(-1) === ESCAPE);
    if (!isEnd) {
      this.#held.push(byte);
      // Each sequence starts with a number: the scan of other sequences, such as titles and links,
      // ends here.
      if (this.#held.length === 4 && !isShellNumber(this.#held)) this.#leave();
      if (this.#held.length > MAX_SEQUENCE_BYTES) this.#leave();
      return undefined;
    }
    const text = decoder.decode(
      Uint8Array.from(byte === BACKSLASH ? this.#held.slice(0, -1) : this.#held),
    );
    this.#leave();
    return this.#markOf(text, end);
  }

  #leave(): void {
    this.#isInside = false;
    this.#held = [];
  }

  #markOf(text: string, byteOffset: number): CommandMark | undefined {
    const [number, letter, ...rest] = text.split(';');
    if (number !== '133' && number !== '633') return undefined;
    if (letter === 'E') {
      this.#command = unescapeCommand(rest[0] ?? '');
      return undefined;
    }
    // A prompt: the command before it is over, even if the shell did not say so.
    if (letter === 'A') this.#isRunning = false;
    if (letter === 'C') {
      const command = this.#command ?? commandOfStart(rest);
      this.#command = undefined;
      // Where two integrations are active, both announce each command.
      if (this.#isRunning) return undefined;
      this.#isRunning = true;
      return { byteOffset, kind: 'started', ...(command && { command }) };
    }
    if (letter !== 'D') return undefined;
    this.#isRunning = false;
    const exitCode = /^\d{1,10}$/.test(rest[0] ?? '') ? Number(rest[0]) : undefined;
    return { byteOffset, kind: 'finished', ...(exitCode !== undefined && { exitCode }) };
  }
}

function isShellNumber(held: readonly number[]): boolean {
  const text = String.fromCharCode(...held);
  return text === '133;' || text === '633;';
}

/** fish 4 and kitty send the command line with its start, encoded as in a URL. */
function commandOfStart(options: readonly string[]): string | undefined {
  const encoded = options.find((each) => each.startsWith(COMMAND_OPTION));
  try {
    return encoded && decodeURIComponent(encoded.slice(COMMAND_OPTION.length));
  } catch {
    return undefined; // Not encoded as a URL: the name of the command is unknown.
  }
}

/** Decodes the escapes of VS Code's shell scripts: `\xHH` and `\\`. */
function unescapeCommand(text: string): string {
  return text.replace(/\\(?:\\|x([0-9a-f]{2}))/gi, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(parseInt(hex, 16)),
  );
}
