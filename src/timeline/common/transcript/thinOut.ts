import type { HistoryLine } from './screenHistory.ts';

/** Lines of a session, or how many were left out in their place. */
export type KeptLine = HistoryLine & { readonly omitted?: number };

/** How much of a stretch of output is kept at least, half of it from its start. */
const MIN_STRETCH = 40;
const FIRST_STRETCH = 4000;

/**
 * Leaves out the middle of the longest stretches of output between moments, until no more than `maximum` lines are left, or
 * nothing more can be left out.
 *
 * @param lines in the session's order
 * @param places where the moments are, in order: what is next to them is what one looks for
 */
export function thinOut(
  lines: readonly KeptLine[],
  places: readonly number[],
  maximum: number,
): KeptLine[] {
  let kept = [...lines];
  for (let limit = FIRST_STRETCH; kept.length > maximum && limit >= MIN_STRETCH; limit /= 2) {
    kept = stretchesOf(kept, places).flatMap((stretch) => shortened(stretch, Math.floor(limit)));
  }
  return kept;
}

function stretchesOf(lines: readonly KeptLine[], places: readonly number[]): KeptLine[][] {
  const stretches: KeptLine[][] = [[]];
  let next = 0;
  for (const line of lines) {
    if (next < places.length && line.firstByte > places[next]!) {
      while (next < places.length && line.firstByte > places[next]!) next++;
      stretches.push([]);
    }
    stretches.at(-1)!.push(line);
  }
  return stretches;
}

function shortened(stretch: readonly KeptLine[], limit: number): readonly KeptLine[] {
  if (stretch.length <= limit) return stretch;
  const half = limit >> 1;
  const middle = stretch.slice(half, stretch.length - half);
  const omitted = middle.reduce((sum, line) => sum + (line.omitted ?? 1), 0);
  return [...stretch.slice(0, half), { ...middle[0]!, text: '', omitted }, ...stretch.slice(-half)];
}
