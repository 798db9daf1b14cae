import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nanosecondsAt, RecordIndex } from '../../../../src/timeline/common/recordIndex.ts';

const START = 1_760_000_000_123_456_789n;

function indexOf(...records: [ms: number, byteAfter: number][]): RecordIndex {
  const index = new RecordIndex(START);
  for (const [ms, byteAfter] of records) index.append(nanosecondsAt(START, ms), byteAfter);
  return index;
}

describe('RecordIndex', () => {
  const index = indexOf([0, 0], [10, 100], [10, 150], [3010, 200]);

  it('finds the last record before a time and before a byte', () => {
    assert.equal(index.recordAtTime(9.9), 0);
    assert.equal(index.recordAtTime(10), 2);
    assert.equal(index.recordAtByte(149), 1);
    assert.equal(index.recordAtByte(1e9), 3);
    assert.equal(index.recordAtTime(-1), -1);
  });

  it('counts output between times', () => {
    assert.deepEqual(index.activity([-1, 5, 10, 3000, 4000]), [0, 150, 0, 50]);
  });

  it('finds the gaps', () => {
    assert.deepEqual(index.gaps(2000), [{ fromMs: 10, toMs: 3010 }]);
    assert.deepEqual(index.gaps(5000), []);
  });

  it('stays ascending when a clock was set back', () => {
    const odd = indexOf([0, 10], [500, 20], [100, 30]);
    assert.equal(odd.endMs, 500);
    assert.equal(odd.recordAtTime(500), 2);
  });

  it('counts every byte once, for any edges', () => {
    const records = fc.array(fc.tuple(fc.nat(50), fc.nat(1000)), { minLength: 1, maxLength: 3000 });
    const cuts = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(records, cuts, (steps, edges) => {
        const grown = new RecordIndex(START);
        let ms = 0;
        let bytes = 0;
        for (const [wait, length] of steps) {
          grown.append(nanosecondsAt(START, (ms += wait)), (bytes += length));
        }
        const sorted = [-1, ...edges.sort((a, b) => a - b), 1e9];
        const sum = grown.activity(sorted).reduce((total, count) => total + count, 0);
        assert.equal(sum, bytes);
      }),
      { numRuns: 50 },
    );
  });
});
