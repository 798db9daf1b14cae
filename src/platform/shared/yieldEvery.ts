/**
 * Splits long work on a shared thread: call the function often, and await the promise that it returns once `workMs` have passed
 * since the last pause. Uses only what Node and browsers share.
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
