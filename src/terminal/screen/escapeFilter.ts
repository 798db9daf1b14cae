const ESCAPE = 0x1b;
const BELL = 0x07;
const BACKSLASH = 0x5c;
const CONTROL_SEQUENCE = 0x5b; // [
/** OSC, DCS, APC, PM, SOS: strings that end with a bell or ESC \\. */
const STRINGS = new Set([0x5d, 0x50, 0x5f, 0x5e, 0x58]);
/** No sequence that is filtered is longer: what is gets passed on. */
const MAX_SEQUENCE_BYTES = 4096;

/** Takes escape sequences out of a stream of terminal output, wherever the stream is cut. */
export class EscapeFilter {
  readonly #isUnwanted: (sequence: string) => boolean;
  #held: number[] = [];

  /** @param isUnwanted gets a whole sequence, its bytes as characters, without the terminator of a string */
  constructor(isUnwanted: (sequence: string) => boolean) {
    this.#isUnwanted = isUnwanted;
  }

  /** What may be passed on now. */
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

  /** What was held back in the hope of more. */
  flush(): Uint8Array {
    return Uint8Array.from(this.#held.splice(0));
  }
}

/** Whether the sequence is complete, and how many bytes its terminator has. */
function sequenceEnd(held: readonly number[]): 'open' | number {
  const [, kind] = held;
  const last = held.at(-1)!;
  if (kind === undefined) return 'open';
  if (kind === CONTROL_SEQUENCE)
    return held.length > 2 && (last < 0x20 || last > 0x3f) ? 0 : 'open';
  if (!STRINGS.has(kind)) return 0;
  if (last === BELL) return 1;
  return last === BACKSLASH && held.at(-2) === ESCAPE && held.length > 3 ? 2 : 'open';
}

/** Colours and attributes: `CSI … m`, but not the private forms, which set keyboard modes. */
export function isColor(sequence: string): boolean {
  return /^\x1b\[[\d;:]*m$/.test(sequence);
}

/**
 * What a terminal answers by itself: device attributes and status, modes, size, colours, keyboard protocol, version,
 * capabilities. Shown to a terminal that is not the program's own, its answer would be typed into the program, or the shell.
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
    /^\x1b\](4;\d+|1[0-9]|52;\w*);\?$/.test(sequence) ||
    /^\x1bP[$+]q/.test(sequence) ||
    sequence === '\x1bZ'
  );
}
