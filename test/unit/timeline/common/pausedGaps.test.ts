import assert from 'node:assert/strict';
import { withPauses } from '../../../../src/timeline/common/pausedGaps.ts';

const pause = (fromMs: number, toMs?: number) => ({
  fromNs: BigInt(fromMs) * 1_000_000n + 5n,
  toNs: toMs === undefined ? undefined : BigInt(toMs) * 1_000_000n + 5n,
  byteOffset: 0,
  isResumed: true,
});

describe('gaps with pauses', () => {
  it('have one gap for each pause, also if the terminal was resized in it', () => {
    const idle = [
      { fromMs: 0, toMs: 3000 },
      { fromMs: 5000, toMs: 8000 },
      { fromMs: 8000, toMs: 12_000 },
      { fromMs: 12_000, toMs: 20_000 },
    ];
    assert.deepEqual(withPauses(idle, [pause(5000, 12_000)], 5n, 2000), [
      { fromMs: 0, toMs: 3000 },
      { fromMs: 5000, toMs: 12_000, isPause: true },
      { fromMs: 12_000, toMs: 20_000 },
    ]);
  });

  it('leave out short pauses and those without an end', () => {
    assert.deepEqual(withPauses([], [pause(0, 1999), pause(5000)], 5n, 2000), []);
  });
});
