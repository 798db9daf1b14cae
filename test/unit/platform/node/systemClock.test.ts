import assert from 'node:assert/strict';
import { SystemClock } from '../../../../src/platform/node/systemClock.ts';

const BUSY_MS = 60;

describe('SystemClock', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  /** As if the machine had other work right after each of the first looks at the wall clock. */
  function interrupt(times: number): void {
    let left = times;
    Date.now = () => {
      const time = now();
      if (left-- > 0) for (const end = performance.now() + BUSY_MS; performance.now() < end;);
      return time;
    };
  }

  it('is with the wall clock, whatever came between two looks when it was made', () => {
    interrupt(3);
    const clock = new SystemClock();
    const behindMs = now() - Number(clock.nowNs() / 1_000_000n);
    assert.ok(Math.abs(behindMs) < BUSY_MS / 2, `${behindMs} ms`);
  });

  it('never goes backwards', () => {
    const clock = new SystemClock();
    let before = 0n;
    for (let look = 0; look < 1000; look++) {
      const time = clock.nowNs();
      assert.ok(time >= before);
      before = time;
    }
  });
});
