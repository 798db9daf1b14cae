/**
 * Comparing a snapshot with the workspace takes processor time from the agent and delays its
 * snapshots, so at most 1/`SHARE` of the time is spent on it.
 */
const SHARE = 50;

/**
 * How long to wait after a comparison before the next automatic one.
 *
 * @param leastMs after a comparison that took almost no time
 */
export function pauseAfterComparison(tookMs: number, leastMs: number): number {
  return Math.max(leastMs, tookMs * SHARE);
}
