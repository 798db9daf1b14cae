/**
 * Splits long work on a shared thread. Call the returned function often: after `workMs` of work it
 * returns a promise to await. Runs in Node and browsers.
 */
export function yieldEvery(workMs: number): () => Promise<void> | undefined {
  let pausedAt = performance.now();
  return () => {
    if (performance.now() - pausedAt < workMs) return undefined;
    return new Promise((resolve) =>
      setTimeout(() => {
        pausedAt = performance.now();
        resolve();
      }, 0),
    );
  };
}
