import { rowHash } from './rowHash.ts';
import type { LinkData, ScreenBuffer, ScreenLine } from './screenTypes.ts';

const SETTLED = 0;
const TOUCHED = 1;
const BORN = 2;

/**
 * Tracks `last_write_byte` of each row of a screen buffer: the end of the last data record that
 * changed it. Hashes touched rows at the end of a record, or when they scroll off; a row with the
 * same hash as before is unchanged.
 */
export class RowTracker {
  readonly #linkOf: (urlId: number) => LinkData | undefined;
  readonly #cols: number;
  readonly #hashes: Int32Array;
  readonly #lastWrites: Float64Array;
  readonly #states: Uint8Array;
  /**
   * Index of the top row in the arrays, which are rings: a scroll only moves this index. The `!`s
   * below are safe, since the arrays have an entry for each row.
   */
  #top = 0;

  constructor(
    size: { cols: number; rows: number },
    linkOf: (urlId: number) => LinkData | undefined,
  ) {
    this.#cols = size.cols;
    this.#linkOf = linkOf;
    this.#hashes = new Int32Array(size.rows);
    this.#lastWrites = new Float64Array(size.rows);
    this.#states = new Uint8Array(size.rows);
  }

  get rows(): number {
    return this.#states.length;
  }

  lastWriteByte(row: number): number {
    return this.#lastWrites[this.#at(row)] ?? 0;
  }

  /** Starts tracking with the current rows of a buffer and their given offsets. */
  adopt(buffer: ScreenBuffer, lastWriteBytes: (row: number) => number): void {
    this.#top = 0;
    for (let row = 0; row < this.rows; row++) {
      const line = buffer.lines.get(row);
      this.#lastWrites[row] = lastWriteBytes(row);
      this.#hashes[row] = line ? this.#hash(line) : 0;
      this.#states[row] = SETTLED;
    }
  }

  /**
   * Marks rows that may have changed, `start` and `end` included; they may be outside the screen.
   */
  touch(start: number, end: number): void {
    const last = Math.min(end, this.rows - 1);
    for (let row = Math.max(start, 0); row <= last; row++) this.#states[this.#at(row)]! |= TOUCHED;
  }

  /** Marks all rows as new, after the screen was cleared or became active. */
  markAllNew(): void {
    this.#states.fill(BORN);
  }

  /**
   * `last_write_byte` of the top row, which scrolls off in the record that ends at `byteOffset`.
   */
  leavingByte(line: ScreenLine, byteOffset: number): number {
    const state = this.#states[this.#top]!;
    if (state >= BORN) return byteOffset;
    const isChanged = state === TOUCHED && this.#hash(line) !== this.#hashes[this.#top];
    return isChanged ? byteOffset : this.#lastWrites[this.#top]!;
  }

  /**
   * Call when the top row has scrolled off and a new row was added at `bottom`; rows below stay.
   */
  shift(bottom: number): void {
    const born = this.#top;
    this.#top = (this.#top + 1) % this.rows;
    this.#states[born] = BORN;
    // The new row is the last one of the ring: move it up past the rows that stay.
    for (let row = this.rows - 1; row > bottom; row--) this.#swap(row, row - 1);
  }

  #swap(row: number, other: number): void {
    const a = this.#at(row);
    const b = this.#at(other);
    for (const array of [this.#hashes, this.#lastWrites, this.#states]) {
      const value = array[a]!;
      array[a] = array[b]!;
      array[b] = value;
    }
  }

  #at(row: number): number {
    const index = this.#top + row;
    return index < this.rows ? index : index - this.rows;
  }

  /** Call at the end of a record: its changed rows were last changed at `byteOffset`. */
  settle(buffer: ScreenBuffer, byteOffset: number): void {
    for (let row = 0; row < this.rows; row++) {
      const at = this.#at(row);
      const state = this.#states[at]!;
      if (state === SETTLED) continue;
      const line = buffer.lines.get(row);
      // Untested: xterm has a line for every row; this only narrows the type.
      if (!line) continue;
      const hash = this.#hash(line);
      if (state >= BORN || hash !== this.#hashes[at]) this.#lastWrites[at] = byteOffset;
      this.#hashes[at] = hash;
      this.#states[at] = SETTLED;
    }
  }

  #hash(line: ScreenLine): number {
    return rowHash(line, this.#cols, this.#linkOf);
  }
}
