/** Runs `tasks`, at most `limit` at a time. The results come in the order of the tasks. */
export async function runAll(tasks, limit) {
  const waiting = [...tasks];
  const results = [];

  async function worker() {
    while (waiting.length > 0) {
      const task = waiting.shift();
      results.push(await task());
    }
  }

  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
