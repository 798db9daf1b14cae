import type { Clock } from '../../../base/clock.ts';
import { toDisposable } from '../../../base/lifecycle.ts';

/** The browser's clock. A hidden page does not run, so hiding it pauses playback. */
export const pageClock: Clock = {
  nowNs: () => BigInt(Math.round(performance.now() * 1e6)),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
