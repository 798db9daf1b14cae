import {
  CELL_SIZE,
  CODE_POINT_MASK,
  HAS_CONTENT_MASK,
  IS_COMBINED,
  NULL_CONTENT,
  WIDTH_SHIFT,
} from './cellBits.ts';
import type { ScreenLine } from './screenTypes.ts';
import { cellsOf, combinedTextOf } from './xtermInternals.ts';

// The `!`s in this file are safe: columns are within the line. Checks would slow this hot path.
const SPACE = 0x20;

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

/**
 * Converts rows to text: empty cells inside a row are spaces, empty cells at its end are omitted,
 * printed spaces are kept. Collects many rows and decodes them at once, which takes a quarter of
 * the time of decoding them one by one.
 */
export class RowTextBatch {
  #units = new Uint16Array(4096);
  #length = 0;
  #ends: number[] = [];

  get rowCount(): number {
    return this.#ends.length;
  }

  add(line: ScreenLine, cols: number): void {
    const cells = cellsOf(line);
    let end = Math.min(cols, line.length);
    while (end > 0 && (cells[(end - 1) * CELL_SIZE]! & HAS_CONTENT_MASK) === 0) end--;
    this.#reserve(end * 2);
    const length = copySimpleRow(cells, end, this.#units, this.#length);
    if (length < 0) this.#addCells(line, end);
    else this.#length = length;
    this.#ends.push(this.#length);
  }

  #addCells(line: ScreenLine, end: number): void {
    const cells = cellsOf(line);
    for (let column = 0; column < end;) {
      const content = cells[column * CELL_SIZE]!;
      const code = content & CODE_POINT_MASK;
      this.#addText(
        content & IS_COMBINED ? combinedTextOf(line, column) : String.fromCodePoint(code || SPACE),
      );
      column += content >>> WIDTH_SHIFT || 1;
    }
  }

  /** Returns the rows added since the last call or `clear`. */
  take(): string[] {
    const bytes = new Uint8Array(this.#units.buffer, 0, this.#length * 2);
    const text = decoder.decode(bytes);
    let start = 0;
    const rows = this.#ends.map((end) => {
      const row = text.slice(start, end);
      start = end;
      return row;
    });
    this.clear();
    return rows;
  }

  clear(): void {
    this.#length = 0;
    this.#ends = [];
  }

  #addText(text: string): void {
    this.#reserve(text.length);
    for (let index = 0; index < text.length; index++) {
      this.#units[this.#length++] = text.charCodeAt(index);
    }
  }

  #reserve(units: number): void {
    if (this.#length + units <= this.#units.length) return;
    const grown = new Uint16Array(Math.max(this.#length + units, this.#units.length * 2));
    grown.set(this.#units.subarray(0, this.#length));
    this.#units = grown;
  }
}

/**
 * Upper half of the content number of a simple cell: one column wide, at most one UTF-16 unit.
 * Almost all cells are simple.
 */
const SIMPLE_CELL = NULL_CONTENT >>> 16;

/**
 * Copies a row of simple cells. A separate function, because this loop takes half the time that a
 * line needs.
 * @returns the new length, or -1 for a row with other cells
 */
function copySimpleRow(cells: Uint32Array, end: number, units: Uint16Array, start: number): number {
  for (let column = 0, at = 0; column < end; column++, at += CELL_SIZE) {
    const content = cells[at]!;
    if (content >>> 16 !== SIMPLE_CELL) return -1;
    const unit = content & 0xffff;
    units[start + column] = unit === 0 ? SPACE : unit;
  }
  return start + end;
}

const single = new RowTextBatch();

/** Converts one row; see {@link RowTextBatch}. */
export function rowText(line: ScreenLine, cols: number): string {
  single.add(line, cols);
  return single.take()[0] ?? '';
}
