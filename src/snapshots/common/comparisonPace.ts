/**
 * Limits how often snapshots are compared with the workspace, because a comparison takes processor
 * time from the agent and delays its snapshots: at most one comparison in `PAUSE_MS`, and at most
 * 1/`SHARE` of the time is spent on them.
 */
const PAUSE_MS = 10_000;
const SHARE = 50;

/** How long to wait after a comparison before the next automatic one. */
export function pauseAfterComparison(tookMs: number): number {
  return Math.max(PAUSE_MS, tookMs * SHARE);
}
