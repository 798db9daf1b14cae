import { CSI } from '../screen/attributes.ts';
import { AttributeWriter } from './attributeWriter.ts';

/** Collects a stream for a terminal, and tracks that terminal's cursor and attributes. */
export class StreamWriter {
  readonly attributes = new AttributeWriter((text) => this.write(text));
  /** What the stream can't express, in words; empty if it restores the exact state. */
  readonly losses = new Set<string>();
  readonly #cols: number;
  readonly #parts: string[] = [];
  /** The cursor in the reading terminal; -1 if unknown, as after a character in the last column. */
  #row = -1;
  #column = -1;

  constructor(cols: number) {
    this.#cols = cols;
  }

  get stream(): string {
    return this.#parts.join('');
  }

  /** Writes text that does not move the cursor. */
  write(text: string): void {
    this.#parts.push(text);
  }

  /** Writes text that moves the cursor, unless it is empty. */
  writeMoving(text: string): void {
    if (text === '') return;
    this.#parts.push(text);
    this.#row = -1;
  }

  moveTo(row: number, column: number): void {
    if (row === this.#row && column === this.#column) return;
    this.write(column === 0 ? `${CSI}${row + 1}H` : `${CSI}${row + 1};${column + 1}H`);
    this.#row = row;
    this.#column = column;
  }

  /**
   * Moves the cursor even if it is already there: the sequence keeps a combining character from
   * joining the previous character.
   */
  moveAnew(row: number, column: number): void {
    this.#row = -1;
    this.moveTo(row, column);
  }

  /** Prints at the cursor, whose position must be known. */
  print(text: string, width: number): void {
    this.write(text);
    this.#column += width;
    if (this.#column >= this.#cols) this.#row = -1;
  }

  /** Empties cells and gives them the current background color. */
  erase(row: number, column: number, count: number): void {
    this.moveTo(row, column);
    this.write(count === 1 ? `${CSI}X` : `${CSI}${count}X`);
  }
}
