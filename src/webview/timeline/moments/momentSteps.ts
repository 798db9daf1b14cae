import type { PageMoment } from '../host/parseEvents.ts';

/** The last moment that had come when so much was printed: the one that what is shown belongs to. */
export function momentAt(
  moments: readonly PageMoment[],
  byteOffset: number,
): PageMoment | undefined {
  return moments.findLast((moment) => moment.byteOffset <= byteOffset);
}

/**
 * The next moment in a direction. Several may share one place: from the moment that was gone to last the steps are counted in
 * the list, from anywhere else by output.
 * @param current the moment that was gone to last, if it is still shown
 */
export function momentBeside(
  moments: readonly PageMoment[],
  from: { readonly byteOffset: number; readonly current: string | undefined },
  direction: 1 | -1,
): PageMoment | undefined {
  const index = moments.findIndex(({ id }) => id === from.current);
  if (index >= 0) return moments[index + direction];
  return direction > 0
    ? moments.find(({ byteOffset }) => byteOffset > from.byteOffset)
    : moments.findLast(({ byteOffset }) => byteOffset < from.byteOffset);
}
