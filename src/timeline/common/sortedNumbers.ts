/** Index of the last of the first `length` values that is not above `limit`; -1 when all are. The values ascend. */
export function lastAtOrBelow(values: ArrayLike<number>, length: number, limit: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
