/** Lines packed together: few objects for the collector to visit, and the text outside its heap. */
const CHUNK_LINES = 1024;

export interface SettledLimits {
  readonly lines: number;
  /** Of text in UTF-8. */
  readonly bytes: number;
}

export interface LineRow {
  /** With colours, as escape sequences. */
  readonly styled: string;
  readonly isBlank: boolean;
  /** End of the last data record that changed it, in bytes from the start of the recording. */
  readonly lastWriteByte: number;
}

interface Chunk {
  readonly text: Uint8Array;
  /** For each line, the highest `last_write_byte` of it and all before it. */
  readonly reached: Float64Array;
}

const encoder = new TextEncoder();
// A line may begin with a byte order mark: it is kept, like every other character.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Lines that can no longer change, by their number from 0. The oldest are dropped when there are too many. */
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

  /** Number of the first that is kept. */
  get start(): number {
    return this.#droppedChunks * CHUNK_LINES;
  }

  /** Number after the last. */
  get end(): number {
    return this.start + this.#chunks.length * CHUNK_LINES + this.#open.lines.length;
  }

  /** Number after the last that is not blank. */
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

  /** The lines of a range of numbers, cut to those that are kept. */
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

  /** Number of the first line that was written to after a byte; `end` if none was. */
  firstWrittenAfter(byte: number): number {
    let low = this.start;
    let high = this.end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#reachedAt(middle) > byte) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #reachedAt(number: number): number {
    const chunk = this.#chunks[Math.floor(number / CHUNK_LINES) - this.#droppedChunks];
    return (chunk ? chunk.reached : this.#open.reached)[number % CHUNK_LINES]!;
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
