import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

/** The last moment at or before a byte offset. */
export function momentAt(
  moments: readonly PageMoment[],
  byteOffset: number,
): PageMoment | undefined {
  return moments.findLast((moment) => moment.byteOffset <= byteOffset);
}

/**
 * The next moment in a direction. If there is a current moment, it is that moment's neighbor in the
 * list, since several moments can share a byte offset; otherwise the nearest one by byte offset.
 * @param current the moment that the user went to last, if it is still shown
 */
export function adjacentMoment(
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
