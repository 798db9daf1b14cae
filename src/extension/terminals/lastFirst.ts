/** Puts the user's last choice first and keeps the order of the other items. */
export function lastFirst<T>(items: readonly T[], isLast: (item: T) => boolean): T[] {
  return [...items.filter(isLast), ...items.filter((item) => !isLast(item))];
}
