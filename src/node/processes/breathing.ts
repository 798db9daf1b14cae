/**
 * For long work on a thread that others need: a function to call often, which hands back a promise to wait for once `workMs`
 * have gone by since the last pause. Uses only what browsers have too.
 */
export function breathing(workMs: number): () => Promise<void> | undefined {
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
