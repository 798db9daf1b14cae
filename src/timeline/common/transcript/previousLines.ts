import { lettersOf, type HistoryLine, type ReadableLine } from './lineText.ts';

/** A line at its position on the screen. */
export interface ShownLine extends HistoryLine {
  readonly row: number;
  /** Whether the line was reported before and has come back to the screen. */
  readonly isReported?: boolean;
}

/** Matches the previous lines of a screen with its present ones; what stays unmatched is gone. */
export class PreviousLines {
  readonly #lines: (ShownLine | undefined)[];
  readonly #indexes = new Map<string, number[]>();
  /** By how many rows each matched line moved down. */
  readonly #moves: (number | undefined)[];
  readonly #rows: readonly number[];
  #count: number;

  constructor(lines: readonly ShownLine[]) {
    this.#lines = [...lines];
    this.#moves = lines.map(() => undefined);
    this.#rows = lines.map(({ row }) => row);
    this.#count = lines.length;
    for (const [index, { text }] of lines.entries()) {
      const indexes = this.#indexes.get(text);
      if (indexes) indexes.push(index);
      else this.#indexes.set(text, [index]);
    }
  }

  /** Takes the previous line with the same text. */
  take({ text, row }: ReadableLine): ShownLine | undefined {
    const index = this.#indexes.get(text)?.shift();
    if (index === undefined) return undefined;
    const line = this.#remove(index);
    this.#moves[index] = row - line.row;
    return line;
  }

  /**
   * Takes the previous line at a row, to match it with the line in its place now. `scrolled` rows
   * have scrolled off in between.
   */
  takeAt(row: number, scrolled: number): ShownLine | undefined {
    const index = this.#lines.findIndex((line) => line?.row === row);
    if (index < 0) return undefined;
    const line = this.#remove(index);
    this.#moves[index] = -scrolled;
    const same = this.#indexes.get(line.text);
    same?.splice(same.indexOf(index), 1);
    return line;
  }

  /** The nearest previous line above a row. */
  above(row: number): ShownLine | undefined {
    return this.#lines.findLast((line) => line !== undefined && line.row < row);
  }

  /** Takes lines that were scrolled out: the line below them moved up. */
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

  /**
   * Whether the next matched line below a row moved down, which means that the row was scrolled
   * back onto the screen.
   */
  movedDownBelow(row: number): boolean {
    const next = this.#moves.findIndex(
      (move, index) => move !== undefined && (this.#rows[index] ?? 0) + move > row,
    );
    return (this.#moves[next] ?? 0) > 0;
  }

  /**
   * Takes the nearest line of which a text is a later form: longer, or with other digits and signs.
   */
  takeContinued(text: string, row: number): ShownLine | undefined {
    // During a flood of output no line stays unmatched, so this search costs nothing.
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

  /** The lines that are still unmatched. */
  rest(): ShownLine[] {
    return this.#lines.filter((line) => line !== undefined);
  }

  #remove(index: number): ShownLine {
    const line = this.#lines[index]!; // Callers pass indexes of lines that are still there.
    this.#lines[index] = undefined;
    this.#count--;
    return line;
  }
}
