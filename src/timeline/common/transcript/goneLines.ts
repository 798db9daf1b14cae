import { lettersOf, type ReadableLine } from './lineText.ts';
import type { HistoryLine } from './screenHistory.ts';

/** A line where it is on the screen. */
export interface ShownLine extends HistoryLine {
  readonly row: number;
  /** It was told before, and has come back. */
  readonly isTold?: boolean;
}

/** The lines that a screen showed before, less those that were found on it again. */
export class GoneLines {
  readonly #lines: (ShownLine | undefined)[];
  readonly #places = new Map<string, number[]>();
  /** By how many rows those that were found again have moved down. */
  readonly #moves: (number | undefined)[];
  readonly #rows: readonly number[];
  #count: number;

  constructor(lines: readonly ShownLine[]) {
    this.#lines = [...lines];
    this.#moves = lines.map(() => undefined);
    this.#rows = lines.map(({ row }) => row);
    this.#count = lines.length;
    for (const [index, { text }] of lines.entries()) {
      const places = this.#places.get(text);
      if (places) places.push(index);
      else this.#places.set(text, [index]);
    }
  }

  /** The same line as it was before. */
  take({ text, row }: ReadableLine): ShownLine | undefined {
    const index = this.#places.get(text)?.shift();
    if (index === undefined) return undefined;
    const line = this.#remove(index);
    this.#moves[index] = row - line.row;
    return line;
  }

  /** Lines that a program moved out of its screen: what was below them has moved up. */
  takeScrolled(): ShownLine[] {
    const scrolled: ShownLine[] = [];
    let isMovingUp = false;
    for (let index = this.#lines.length - 1; index >= 0; index--) {
      const move = this.#moves[index];
      if (move !== undefined) isMovingUp = move < 0;
      else if (isMovingUp && this.#lines[index]) scrolled.push(this.#remove(index));
    }
    return scrolled.reverse();
  }

  /** Whether the next line below a row that was there before has moved down: then what is there now was scrolled back. */
  movedDownBelow(row: number): boolean {
    const next = this.#moves.findIndex(
      (move, index) => move !== undefined && this.#rows[index]! + move > row,
    );
    return next >= 0 && this.#moves[next]! > 0;
  }

  /** The nearest that a text may have become of: more was written behind it, or only its numbers and signs changed. */
  takeContinued(text: string, row: number): ShownLine | undefined {
    // A flood of output leaves none, and has no time for more.
    if (this.#count === 0) return undefined;
    const letters = lettersOf(text);
    let nearest = -1;
    for (const [index, line] of this.#lines.entries()) {
      if (!line) continue;
      const isLater =
        text.startsWith(line.text) || (letters !== '' && letters === lettersOf(line.text));
      const best = this.#lines[nearest];
      if (isLater && !(best && Math.abs(best.row - row) <= Math.abs(line.row - row))) {
        nearest = index;
      }
    }
    return nearest < 0 ? undefined : this.#remove(nearest);
  }

  rest(): ShownLine[] {
    return this.#lines.filter((line) => line !== undefined);
  }

  #remove(index: number): ShownLine {
    const line = this.#lines[index]!;
    this.#lines[index] = undefined;
    this.#count--;
    return line;
  }
}
