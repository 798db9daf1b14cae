/**
 * The results of `task` for each item, in the items' order, with up to `parallel` tasks under way at a time.
 * Leaving the loop early waits for those that have begun, so that none outlives it.
 */
export async function* mapAhead<T, R>(
  items: Iterable<T>,
  parallel: number,
  task: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const running: Promise<R>[] = [];
  try {
    for (const item of items) {
      const result = task(item);
      // Its turn may come long after it failed: until then nobody else listens.
      result.catch(() => undefined);
      running.push(result);
      if (running.length < parallel) continue;
      yield await (running.shift() as Promise<R>);
    }
    for (let next = running.shift(); next; next = running.shift()) yield await next;
  } finally {
    await Promise.allSettled(running);
  }
}
