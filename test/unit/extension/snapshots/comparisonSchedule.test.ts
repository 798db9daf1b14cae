import assert from 'node:assert/strict';
import {
  ComparisonSchedule,
  SPARING_PACE,
} from '../../../../src/extension/snapshots/comparisonSchedule.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

describe('the schedule of comparisons with the workspace', () => {
  it('compares soon after a change, then at most each 2 s and a fiftieth of the time', async () => {
    const { clock, schedule, started, world } = setUp();
    schedule.changed();
    await clock.advance(499);
    assert.deepEqual(started(), []);
    await clock.advance(1);
    assert.deepEqual(started(), [500]);
    schedule.changed();
    schedule.changed();
    await clock.advance(20_000);
    assert.deepEqual(started(), [500, 2500]);
    world.tookMs = 2000;
    schedule.changed();
    await clock.advance(1000);
    // Files that change during the comparison are compared after the pause.
    schedule.changed();
    await clock.advance(200_000);
    assert.deepEqual(started().slice(2), [21_000, 123_000]);
  });

  it('compares at once on request, and joins the comparison that runs', async () => {
    const { clock, schedule, started, world } = setUp();
    world.tookMs = 100;
    const both = Promise.all([schedule.run(), schedule.run()]);
    await clock.advance(100);
    await both;
    const again = schedule.run();
    await clock.advance(100);
    await again;
    assert.deepEqual(started(), [0, 100]);
  });

  it('compares nothing while a recording is paused', async () => {
    const { clock, schedule, started, world } = setUp();
    schedule.changed();
    world.isPaused = true;
    await clock.advance(60_000);
    schedule.changed();
    schedule.resume();
    await clock.advance(60_000);
    assert.deepEqual(started(), []);
    world.isPaused = false;
    schedule.resume();
    await clock.advance(500);
    assert.deepEqual(started(), [120_500]);
  });

  it('tries again after a failure, and stops when it is disposed', async () => {
    const { clock, schedule, started, world } = setUp();
    world.error = new Error('the disk');
    await assert.rejects(schedule.run(), /the disk/);
    schedule.changed();
    await clock.advance(2000);
    schedule.changed();
    schedule.dispose();
    await clock.advance(60_000);
    assert.deepEqual(started(), [0, 2000]);
  });
});

function setUp() {
  const clock = new FakeClock(0);
  const times: number[] = [];
  const world = { tookMs: 0, isPaused: false, error: undefined as Error | undefined };
  const schedule = new ComparisonSchedule({
    timers: clock,
    nowMs: () => clock.nowMs,
    pace: SPARING_PACE,
    isPaused: () => world.isPaused,
    compare: async () => {
      times.push(clock.nowMs);
      if (world.error) throw world.error;
      if (world.tookMs > 0) await new Promise<void>((end) => clock.schedule(world.tookMs, end));
    },
  });
  return { clock, schedule, world, started: () => times };
}
