import { CSI } from '../screen/attributes.ts';
import { AttributeWriter } from './attributeWriter.ts';

/** Collects a stream for a terminal, and knows where that terminal's cursor is and which attributes it has in force. */
export class StreamWriter {
  readonly attributes = new AttributeWriter((text) => this.write(text));
  /** What the stream cannot say, in words; empty when the reader ends up with the very same state. */
  readonly losses = new Set<string>();
  readonly #cols: number;
  readonly #parts: string[] = [];
  /** Where the reader's cursor is; -1 where it is unknown, e.g. after a character in the last column. */
  #row = -1;
  #column = -1;

  constructor(cols: number) {
    this.#cols = cols;
  }

  get stream(): string {
    return this.#parts.join('');
  }

  /** Anything that leaves the cursor where it is. */
  write(text: string): void {
    this.#parts.push(text);
  }

  /** Anything that moves the cursor; nothing if it is empty. */
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

  /** Moves even if the cursor is there: a sequence ends what could join the character before it. */
  moveAnew(row: number, column: number): void {
    this.#row = -1;
    this.moveTo(row, column);
  }

  /** Prints at the cursor, which must be known. */
  print(text: string, width: number): void {
    this.write(text);
    this.#column += width;
    if (this.#column >= this.#cols) this.#row = -1;
  }

  /** Empties cells, with the background colour in force. */
  erase(row: number, column: number, count: number): void {
    this.moveTo(row, column);
    this.write(count === 1 ? `${CSI}X` : `${CSI}${count}X`);
  }
}
