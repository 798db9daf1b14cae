import type { TextRow } from '../changingScreen.ts';
import { MAX_LINE_LENGTH, readableLines, type ReadableLine } from './lineText.ts';

export interface JoinedLines {
  /** Complete lines that have scrolled off. */
  readonly left: readonly ReadableLine[];
  /** Lines on the screen; the first one may start above it. */
  readonly shown: readonly ReadableLine[];
}

/** Joins wrapped rows to lines, also when the first rows of a line have scrolled off. */
export class LinesAbove {
  /** For a line that starts above the screen and continues on it: the rows above the screen. */
  #held: readonly TextRow[] = [];

  /** Number of rows above the screen that belong to the screen's first line. */
  get rowCount(): number {
    return this.#held.length;
  }

  /**
   * @param scrolledOff rows that left the screen since the last call
   * @param rows the screen now
   */
  join(scrolledOff: readonly TextRow[], rows: readonly TextRow[]): JoinedLines {
    const next = scrolledOff[0] ?? rows[0];
    // If the next row does not continue the held line, its rest was erased: its last text was
    // complete.
    if (next?.isWrapped !== true) this.#held = [];
    const above = [...this.#held, ...scrolledOff];
    const start = rows[0]?.isWrapped === true ? above.findLastIndex((row) => !row.isWrapped) : -1;
    this.#held = start < 0 ? [] : firstRows(above.slice(start));
    const lines = readableLines([...above, ...rows]);
    const end = start < 0 ? above.length : start;
    const onScreen = lines.findIndex(({ row }) => row >= end);
    const count = onScreen < 0 ? lines.length : onScreen;
    const placed = lines.map(({ text, row }) => ({ text, row: row - above.length }));
    return { left: placed.slice(0, count), shown: placed.slice(count) };
  }
}

/** The first rows of a line, up to the length that is shown: all output may be one endless line. */
function firstRows(rows: readonly TextRow[]): TextRow[] {
  let length = 0;
  return rows.filter(({ text }) => {
    const isNeeded = length < MAX_LINE_LENGTH;
    length += text.length;
    return isNeeded;
  });
}
