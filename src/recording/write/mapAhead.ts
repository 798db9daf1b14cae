/**
 * Yields the result of `task` for each item, in order, and runs up to `parallel` tasks at a time.
 * Leaving the loop early waits for the running tasks.
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
      // A failed task throws when its result is yielded; until then, it must not count as
      // unhandled.
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
