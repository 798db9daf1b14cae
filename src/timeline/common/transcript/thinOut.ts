import type { HistoryLine } from './lineText.ts';

/** A line, or a placeholder for `omitted` lines. */
export type KeptLine = HistoryLine & { readonly omitted?: number };

/**
 * Limits for the lines kept of each stretch, half from its start and half from its end. The limit
 * begins at `FIRST_STRETCH` and is halved until all lines fit.
 */
const MIN_STRETCH = 40;
const FIRST_STRETCH = 4000;

/**
 * Omits the middle of long stretches of output between moments, until at most `maximum` lines are
 * left or every stretch has its minimum length.
 *
 * @param lines in session order
 * @param places byte offsets of the moments, ascending; lines next to a moment are kept
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
  let stretch: KeptLine[] = [];
  const stretches = [stretch];
  let next = 0;
  const isPast = ({ firstByte }: KeptLine) => firstByte > (places[next] ?? Infinity);
  for (const line of lines) {
    if (isPast(line)) {
      while (isPast(line)) next++;
      stretch = [];
      stretches.push(stretch);
    }
    stretch.push(line);
  }
  return stretches;
}

function shortened(stretch: readonly KeptLine[], limit: number): readonly KeptLine[] {
  if (stretch.length <= limit) return stretch;
  const half = limit >> 1;
  const middle = stretch.slice(half, stretch.length - half);
  const [first] = middle;
  if (!first) return stretch;
  const omitted = middle.reduce((sum, line) => sum + (line.omitted ?? 1), 0);
  return [...stretch.slice(0, half), { ...first, text: '', omitted }, ...stretch.slice(-half)];
}
