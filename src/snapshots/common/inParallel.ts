/**
 * Runs a task for each item, at most `limit` at a time. Rethrows the first failure after all
 * started tasks have ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  // All workers take their items from one iterator.
  const rest = items.values();
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const item of rest) {
      if (failure) return;
      try {
        await task(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (failure) throw failure.error;
}
