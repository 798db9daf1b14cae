import { lastAtOrBelow } from '../../../timeline/common/sortedNumbers.ts';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

/** Height of a row, as in the style sheet. A prompt starts a turn and has a gap above it. */
export const ROW_HEIGHT = 24;
const TURN_GAP = 6;
const EDGE = 4;

/** The vertical position of each row of the list. */
export class RowLayout {
  readonly #tops: readonly number[];
  readonly height: number;

  constructor(moments: readonly PageMoment[]) {
    let next = EDGE;
    this.#tops = moments.map(({ kind }) => {
      const top = next + (kind === 'prompt' ? TURN_GAP : 0);
      next = top + ROW_HEIGHT;
      return top;
    });
    this.height = next + EDGE;
  }

  top(index: number): number {
    return this.#tops[index] ?? 0;
  }

  /** The range of rows that overlap the span from `top` to `bottom`. */
  between(top: number, bottom: number): { readonly from: number; readonly to: number } {
    const { length } = this.#tops;
    const from = lastAtOrBelow(this.#tops, length, top - ROW_HEIGHT) + 1;
    return { from: Math.min(from, length), to: lastAtOrBelow(this.#tops, length, bottom) + 1 };
  }
}
