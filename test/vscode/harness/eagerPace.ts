import type { ComparisonPace } from '../../../src/extension/snapshots/comparisonSchedule.ts';

/** Compares soon, without the pauses that leave the processor to a working agent. */
export const EAGER_PACE: ComparisonPace = { soonMs: 50, pauseMs: () => 0 };
