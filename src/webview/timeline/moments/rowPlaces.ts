import { lastAtOrBelow } from '../../../timeline/common/sortedNumbers.ts';
import type { PageMoment } from '../host/parseEvents.ts';

/** Of a moment in the list, as the style sheet has it; a prompt begins a turn, and has room above it. */
export const ROW_HEIGHT = 24;
const TURN_GAP = 6;
const EDGE = 4;

/** Where each moment is in a list that is too long to be in the page as a whole. */
export class RowPlaces {
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
    return this.#tops[index]!;
  }

  /** The first moment that is not wholly above a place, and the one after the last that is not wholly below another. */
  between(top: number, bottom: number): { readonly from: number; readonly to: number } {
    const { length } = this.#tops;
    const from = lastAtOrBelow(this.#tops, length, top - ROW_HEIGHT) + 1;
    return { from: Math.min(from, length), to: lastAtOrBelow(this.#tops, length, bottom) + 1 };
  }
}
