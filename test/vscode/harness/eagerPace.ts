import type { ComparisonPace } from '../../../src/extension/snapshots/comparisonSchedule.ts';

/** Compares without the pauses for an agent, of which tests have none. */
export const EAGER_PACE: ComparisonPace = { soonMs: 50, pauseMs: () => 0 };
