import assert from 'node:assert/strict';
import type { MomentPlace } from '../../../../src/branching/common/momentRef.ts';
import { nearestSnapshot } from '../../../../src/branching/common/nearestSnapshot.ts';

describe('nearestSnapshot', () => {
  const snapshot = (byte: number, timeNs: bigint): MomentPlace => ({ byte, timeNs });

  it('returns the nearest by output, and the newer of two', () => {
    const [a, b, c] = [snapshot(10, 1n), snapshot(30, 4n), snapshot(30, 5n)];
    assert.equal(nearestSnapshot([a, b, c], snapshot(12, 2n)), a);
    assert.equal(nearestSnapshot([a, b, c], snapshot(31, 6n)), c);
    assert.equal(nearestSnapshot([a, b], snapshot(20, 2n)), b);
    assert.equal(nearestSnapshot([b, a], snapshot(20, 2n)), b);
    assert.equal(nearestSnapshot([], snapshot(20, 2n)), undefined);
  });

  it('returns the last one before a line at the same byte, else the first', () => {
    const silent = [snapshot(0, 1n), snapshot(0, 3n), snapshot(0, 5n)];
    for (const order of [silent, [...silent].reverse()]) {
      const at = (timeNs: bigint) => nearestSnapshot(order, snapshot(0, timeNs))?.timeNs;
      assert.deepEqual([at(0n), at(1n), at(2n), at(4n), at(9n)], [1n, 1n, 1n, 3n, 5n]);
    }
  });
});
