/** Bounds a map or set: deletes its oldest entry when it has more than `maxSize`. */
export function dropOldest<K>(items: Map<K, unknown> | Set<K>, maxSize: number): void {
  if (items.size <= maxSize) return;
  const oldest = items.keys().next();
  if (!oldest.done) items.delete(oldest.value);
}
