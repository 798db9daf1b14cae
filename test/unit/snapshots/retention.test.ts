import assert from 'node:assert/strict';
import { expiredSnapshots, type KeptSnapshot } from '../../../src/snapshots/retention.ts';

const POLICY = { maxAgeMs: 1000, maxCount: 3, maxBytes: 100 };
const NOW = 10_000;

function snapshot(id: number, changes: Partial<KeptSnapshot> = {}): KeptSnapshot {
  return {
    ...{ sessionId: 's', id: BigInt(id), takenMs: NOW - 100 + id, bytes: 1, isNeeded: false },
    ...changes,
  };
}

function expired(snapshots: KeptSnapshot[]): [bigint, string][] {
  return expiredSnapshots(snapshots, POLICY, NOW).map(({ snapshot, because }) => [
    snapshot.id,
    because,
  ]);
}

describe('retention', () => {
  it('keeps what is within every limit', () => {
    assert.deepEqual(expired([snapshot(1), snapshot(2), snapshot(3)]), []);
  });

  it('removes by age, but never the newest of a session', () => {
    const old = { takenMs: NOW - 2000 };
    assert.deepEqual(expired([snapshot(1, old), snapshot(2)]), [[1n, 'age']]);
    assert.deepEqual(expired([snapshot(1, old)]), []);
  });

  it('removes by count, the oldest first, each session for itself', () => {
    const others = [1, 2, 3].map((id) => snapshot(id, { sessionId: 'other' }));
    const own = [5, 4, 3, 2, 1].map((id) => snapshot(id));
    assert.deepEqual(expired([...own, ...others]), [
      [1n, 'count'],
      [2n, 'count'],
    ]);
  });

  it('removes by size until there is room', () => {
    const large = [1, 2, 3].map((id) => snapshot(id, { bytes: 60 }));
    assert.deepEqual(expired(large), [
      [1n, 'size'],
      [2n, 'size'],
    ]);
  });

  it('never removes what is needed, whatever it costs', () => {
    const needed = [1, 2, 3, 4, 5].map((id) =>
      snapshot(id, { bytes: 60, takenMs: 0, isNeeded: true }),
    );
    assert.deepEqual(expired(needed), []);
  });
});
