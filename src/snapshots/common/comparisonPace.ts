/**
 * A comparison with the workspace takes processor time from the agent, and the agent's snapshots
 * wait for it: at most one in this time, and at most a fiftieth of the time.
 */
const PAUSE_MS = 10_000;
const SHARE = 50;

/** How long to wait after a comparison, before the next one that the user did not request. */
export function pauseAfterComparison(tookMs: number): number {
  return Math.max(PAUSE_MS, tookMs * SHARE);
}
