import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TimeAxis } from '../../../../../src/timeline/common/playback/timeAxis.ts';

const gapsAndEnd = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 60_000 })))
  .map((pairs) => {
    let at = 0;
    const gaps = pairs.map(([busy, idle]) => {
      const fromMs = at + busy;
      at = fromMs + idle;
      return { fromMs, toMs: at };
    });
    return { gaps, endMs: at + 100 };
  });

describe('TimeAxis', () => {
  it('shortens gaps only', () => {
    const schedule = new TimeAxis([{ fromMs: 1000, toMs: 61_000 }], 500, 62_000);
    assert.equal(schedule.foldedEndMs, 2500);
    assert.equal(schedule.toFolded(1000), 1000);
    assert.equal(schedule.toFolded(31_000), 1250);
    assert.equal(schedule.toFolded(61_000), 1500);
    assert.equal(schedule.toRecorded(1500), 61_000);
    assert.equal(schedule.toRecorded(2000), 61_500);
  });

  it('continues beyond its end, for a growing session', () => {
    const schedule = new TimeAxis([{ fromMs: 0, toMs: 1000 }], 100, 2000);
    assert.equal(schedule.toFolded(2500), 1600);
    assert.equal(schedule.toRecorded(1600), 2500);
  });

  it('is reversible and ascending', () => {
    fc.assert(
      fc.property(
        gapsAndEnd,
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ gaps, endMs }, share) => {
          const schedule = new TimeAxis(gaps, 500, endMs);
          const recorded = share * endMs;
          const folded = schedule.toFolded(recorded);
          assert.ok(Math.abs(schedule.toRecorded(folded) - recorded) < 1e-6 * endMs);
          assert.ok(folded <= recorded + 1e-6);
          assert.ok(schedule.toFolded(recorded + 1) > folded);
        },
      ),
    );
  });
});
