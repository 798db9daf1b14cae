import type { Timers } from '../../base/clock.ts';
import { MutableDisposable, type Disposable } from '../../base/lifecycle.ts';
import { pauseAfterComparison } from '../../snapshots/common/comparisonPace.ts';

/** The user looks at the result, so it should not be older than this after quick comparisons. */
const LEAST_PAUSE_MS = 2000;

/** How often to compare. */
export interface ComparisonPace {
  /** Delay after a change: agents write many files at once, and one comparison should cover them. */
  readonly soonMs: number;
  /** How long to wait after a comparison. */
  readonly pauseMs: (tookMs: number) => number;
}

/** The pace that leaves the processor to the agent. */
export const SPARING_PACE: ComparisonPace = {
  soonMs: 500,
  pauseMs: (tookMs) => pauseAfterComparison(tookMs, LEAST_PAUSE_MS),
};

export interface ComparisonParts {
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly pace: ComparisonPace;
  readonly compare: () => Promise<void>;
  /** While a recording is paused, nothing is compared, because comparing stores files. */
  readonly isPaused: () => boolean;
}

/** Compares soon after changes, but not more often than its pace allows. */
export class ComparisonSchedule implements Disposable {
  readonly #parts: ComparisonParts;
  readonly #timer = new MutableDisposable<Disposable>();
  #running: Promise<void> | undefined;
  #restUntil = 0;
  #isStale = false;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /** Compares now, or joins a comparison that is running. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isStale) this.changed();
    });
    return this.#running;
  }

  /** Call when the result may be out of date. */
  changed(): void {
    this.#isStale = true;
    const { timers, nowMs, pace, isPaused } = this.#parts;
    if (this.#running || this.#timer.value || isPaused()) return;
    const waitMs = Math.max(pace.soonMs, this.#restUntil - nowMs());
    this.#timer.value = timers.schedule(waitMs, () => {
      this.#timer.clear();
      if (isPaused()) return;
      // The next change triggers another try.
      this.run().catch(() => undefined);
    });
  }

  /** Call when a paused recording may have been resumed. */
  resume(): void {
    if (this.#isStale) this.changed();
  }

  dispose(): void {
    this.#isStale = false;
    this.#timer.dispose();
  }

  async #run(): Promise<void> {
    const { nowMs, pace, compare } = this.#parts;
    this.#isStale = false;
    const startedAt = nowMs();
    try {
      await compare();
    } finally {
      const endedAt = nowMs();
      this.#restUntil = endedAt + pace.pauseMs(endedAt - startedAt);
    }
  }
}
