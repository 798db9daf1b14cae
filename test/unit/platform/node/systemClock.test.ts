import assert from 'node:assert/strict';
import { SystemClock } from '../../../../src/platform/node/systemClock.ts';

const BUSY_MS = 60;

describe('SystemClock', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  /** Simulates other work of the machine after each of the first readings of the wall clock. */
  function interrupt(times: number): void {
    let left = times;
    Date.now = () => {
      const time = now();
      if (left-- > 0) for (const end = performance.now() + BUSY_MS; performance.now() < end;);
      return time;
    };
  }

  it('equals the wall clock even if its first readings were interrupted', () => {
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
