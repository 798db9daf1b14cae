/**
 * Finds the first index from `start` to `end` for which `isFound` holds; `end` if there is none.
 * `isFound` must hold for all later indexes, too.
 */
export function firstIndexWhere(
  start: number,
  end: number,
  isFound: (index: number) => boolean,
): number {
  let low = start;
  let high = end;
  while (low < high) {
    // Not `>>>`, which would cut line numbers and byte offsets to 32 bits.
    const middle = Math.floor((low + high) / 2);
    if (isFound(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Counts the items at the start for which `isIncluded` holds. It must not hold for any later item.
 */
export function countWhile<T>(
  items: ArrayLike<T>,
  isIncluded: (item: T) => boolean,
  length = items.length,
): number {
  // The index is always below the length.
  return firstIndexWhere(0, length, (index) => !isIncluded(items[index] as T));
}
