import { countWhile } from '../../base/binarySearch.ts';

/** Index of the last value that is at most `limit`; -1 for none. Values ascend up to `length`. */
export function lastAtOrBelow(values: ArrayLike<number>, length: number, limit: number): number {
  return countWhile(values, (value) => value <= limit, length) - 1;
}
