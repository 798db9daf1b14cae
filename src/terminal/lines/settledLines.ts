import { firstIndexWhere } from '../../base/binarySearch.ts';
/**
 * Lines in a chunk. A full chunk is packed into bytes: fewer objects for the garbage collector, and
 * text outside the JavaScript heap.
 */
const CHUNK_LINES = 1024;

export interface SettledLimits {
  readonly lines: number;
  /** Length of the text in UTF-8. */
  readonly bytes: number;
}

export interface LineRow {
  /** With colors, as escape sequences. */
  readonly styled: string;
  readonly isBlank: boolean;
  /**
   * End of the last data record that changed the line, in bytes from the start of the recording.
   */
  readonly lastWriteByte: number;
}

interface Chunk {
  readonly text: Uint8Array;
  /** For each line, the highest `last_write_byte` up to this line. */
  readonly reached: Float64Array;
}

const encoder = new TextEncoder();
// A byte order mark at the start of a line is kept like any other character.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Lines that can no longer change, numbered from 0. Drops the oldest lines if there are too many.
 */
export class SettledLines {
  readonly #limits: SettledLimits;
  #chunks: Chunk[] = [];
  #open: { lines: string[]; reached: number[] } = { lines: [], reached: [] };
  #bytes = 0;
  #reached = 0;
  #droppedChunks = 0;
  #nonBlankEnd = 0;

  constructor(limits: SettledLimits) {
    this.#limits = limits;
  }

  /** Number of the first line. */
  get start(): number {
    return this.#droppedChunks * CHUNK_LINES;
  }

  /** One past the number of the last line. */
  get end(): number {
    return this.start + this.#chunks.length * CHUNK_LINES + this.#open.lines.length;
  }

  /** One past the number of the last line that is not blank. */
  get nonBlankEnd(): number {
    return Math.max(this.#nonBlankEnd, this.start);
  }

  add({ styled, isBlank, lastWriteByte }: LineRow): void {
    this.#reached = Math.max(this.#reached, lastWriteByte);
    this.#open.lines.push(styled);
    this.#open.reached.push(this.#reached);
    if (!isBlank) this.#nonBlankEnd = this.end;
    if (this.#open.lines.length === CHUNK_LINES) this.#pack();
  }

  clear(): void {
    this.#chunks = [];
    this.#open = { lines: [], reached: [] };
    this.#bytes = 0;
    this.#reached = 0;
    this.#droppedChunks = 0;
    this.#nonBlankEnd = 0;
  }

  /** Returns the lines of a range of numbers, as far as they exist. */
  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    const end = Math.min(to, this.end);
    for (let at = Math.max(from, this.start); at < end;) {
      const index = Math.floor(at / CHUNK_LINES) - this.#droppedChunks;
      const first = (index + this.#droppedChunks) * CHUNK_LINES;
      const chunk = this.#chunks[index];
      const all = chunk ? decoder.decode(chunk.text).split('\n') : this.#open.lines;
      lines.push(...all.slice(at - first, end - first));
      at = first + CHUNK_LINES;
    }
    return lines;
  }

  /** Number of the first line that changed after a byte offset; `end` if there is none. */
  firstWrittenAfter(byte: number): number {
    return firstIndexWhere(this.start, this.end, (number) => this.#reachedAt(number) > byte);
  }

  #reachedAt(number: number): number {
    const chunk = this.#chunks[Math.floor(number / CHUNK_LINES) - this.#droppedChunks];
    return (chunk ? chunk.reached : this.#open.reached)[number % CHUNK_LINES] ?? 0;
  }

  #pack(): void {
    const text = encoder.encode(this.#open.lines.join('\n'));
    this.#chunks.push({ text, reached: Float64Array.from(this.#open.reached) });
    this.#bytes += text.length;
    this.#open = { lines: [], reached: [] };
    while (this.end - this.start > this.#limits.lines || this.#bytes > this.#limits.bytes) {
      const dropped = this.#chunks.shift();
      // Untested: without chunks no limit is exceeded; this only narrows the type.
      if (!dropped) break;
      this.#bytes -= dropped.text.length;
      this.#droppedChunks++;
    }
  }
}
