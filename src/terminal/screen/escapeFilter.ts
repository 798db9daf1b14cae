const ESCAPE = 0x1b;
const BELL = 0x07;
const BACKSLASH = 0x5c;
const CONTROL_SEQUENCE = 0x5b; // [
/** OSC, DCS, APC, PM, SOS: strings that end with a bell or ESC \\. */
const STRINGS = new Set([0x5d, 0x50, 0x5f, 0x5e, 0x58]);
/** Longer sequences are passed on: no sequence to filter is that long. */
const MAX_SEQUENCE_BYTES = 4096;

/** Removes escape sequences from terminal output, even if they are split between two calls. */
export class EscapeFilter {
  readonly #isUnwanted: (sequence: string) => boolean;
  #held: number[] = [];

  /**
   * @param isUnwanted called with a complete sequence, one character per byte, without the
   * terminator of a string
   */
  constructor(isUnwanted: (sequence: string) => boolean) {
    this.#isUnwanted = isUnwanted;
  }

  /** Returns the bytes that can be passed on. */
  push(bytes: Uint8Array): Uint8Array {
    const kept = new Uint8Array(this.#held.length + bytes.length);
    let length = 0;
    const keep = (held: readonly number[]) => {
      kept.set(held, length);
      length += held.length;
    };
    for (const byte of bytes) {
      if (this.#held.length === 0 && byte !== ESCAPE) {
        kept[length++] = byte;
        continue;
      }
      this.#held.push(byte);
      const end = sequenceEnd(this.#held);
      if (end === 'open' && this.#held.length < MAX_SEQUENCE_BYTES) continue;
      const held = this.#held;
      this.#held = [];
      if (
        end === 'open' ||
        !this.#isUnwanted(String.fromCharCode(...held.slice(0, held.length - end)))
      )
        keep(held);
    }
    return kept.subarray(0, length);
  }

  /** Returns the held bytes of an incomplete sequence. */
  flush(): Uint8Array {
    return Uint8Array.from(this.#held.splice(0));
  }
}

/** Length of a complete sequence's terminator; `open` if the sequence is incomplete. */
function sequenceEnd(held: readonly number[]): 'open' | number {
  const [, kind] = held;
  const last = held.at(-1);
  if (kind === undefined || last === undefined) return 'open';
  if (kind === CONTROL_SEQUENCE)
    return held.length > 2 && (last < 0x20 || last > 0x3f) ? 0 : 'open';
  if (!STRINGS.has(kind)) return 0;
  if (last === BELL) return 1;
  return last === BACKSLASH && held.at(-2) === ESCAPE && held.length > 3 ? 2 : 'open';
}

/**
 * Queries that terminals answer: device attributes and status, modes, size, colors, keyboard
 * protocol, version, capabilities. The answer of a second terminal would be typed into the program
 * or the shell.
 */
export function isQuery(sequence: string): boolean {
  return (
    /^\x1b\[[>=]?\d*c$/.test(sequence) ||
    /^\x1b\[\??\d*n$/.test(sequence) ||
    /^\x1b\[\??[\d;]*\$[pw]$/.test(sequence) ||
    /^\x1b\[>\d*q$/.test(sequence) ||
    /^\x1b\[\?u$/.test(sequence) ||
    /^\x1b\[(1[1-9]|2[01])t$/.test(sequence) ||
    /^\x1b\[[\d;]*x$/.test(sequence) ||
    /^\x1b\](4(;\d+;\?)+|1[0-9](;\?)+|52;\w*;\?)$/.test(sequence) ||
    /^\x1bP[$+]q/.test(sequence) ||
    sequence === '\x1bZ'
  );
}
