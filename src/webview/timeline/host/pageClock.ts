import type { Clock } from '../../../base/clock.ts';
import { toDisposable } from '../../../base/lifecycle.ts';

/** The browser's time. It stands still while the page is not shown, and so does what plays. */
export const pageClock: Clock = {
  nowNs: () => BigInt(Math.round(performance.now() * 1e6)),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
