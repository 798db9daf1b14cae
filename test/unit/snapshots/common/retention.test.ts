import assert from 'node:assert/strict';
import {
  DEFAULT_RETENTION,
  expiredBySize,
  expiredSnapshots,
  retention,
  type KeptMoment,
  type KeptSnapshot,
} from '../../../../src/snapshots/common/retention.ts';

const POLICY = { maxAgeMs: 1000, maxCount: 3 };
const NOW = 10_000;

function snapshot(id: number, changes: Partial<KeptSnapshot> = {}): KeptSnapshot {
  const { sessionId = 's', takenMs = NOW - 100 + id } = changes;
  const moment = { sessionId, id: BigInt(id), takenMs };
  return { ...moment, moments: [moment], isNeeded: false, ...changes };
}

/** A snapshot with several moments, the youngest first. */
function shared(...moments: [KeptMoment, ...KeptMoment[]]): KeptSnapshot {
  return { ...moments[0], moments, isNeeded: false };
}

function expired(snapshots: KeptSnapshot[]): [bigint, string][] {
  return expiredSnapshots(snapshots, POLICY, NOW).map(({ snapshot, because }) => [
    snapshot.id,
    because,
  ]);
}

describe('retention', () => {
  it('keeps a week, ten gigabytes and a thousand snapshots per session by default', () => {
    const week = 7 * 24 * 60 * 60 * 1000;
    assert.deepEqual(DEFAULT_RETENTION, { maxAgeMs: week, maxCount: 1000, maxBytes: 1e10 });
    assert.deepEqual(retention(14, 1), { maxAgeMs: 2 * week, maxCount: 1000, maxBytes: 1e9 });
  });

  it('keeps everything within the limits', () => {
    assert.deepEqual(expired([snapshot(1), snapshot(2), snapshot(3)]), []);
  });

  it('removes by age, but never the newest of a session', () => {
    const old = { takenMs: NOW - 2000 };
    assert.deepEqual(expired([snapshot(1, old), snapshot(2)]), [[1n, 'age']]);
    assert.deepEqual(expired([snapshot(1, old)]), []);
  });

  it('keeps a snapshot at exactly the maximum age', () => {
    const oldest = snapshot(1, { takenMs: NOW - 1000 });
    assert.deepEqual(expired([oldest, snapshot(2)]), []);
    const older = snapshot(1, { takenMs: NOW - 1001 });
    assert.deepEqual(expired([older, snapshot(2)]), [[1n, 'age']]);
  });

  it('gives age as the reason if a snapshot exceeds both age and count', () => {
    const old = [1, 2].map((id) => snapshot(id, { takenMs: NOW - 2000 + id }));
    const others = [3, 4, 5].map((id) => snapshot(id));
    assert.deepEqual(expired([...old, ...others]), [
      [1n, 'age'],
      [2n, 'age'],
    ]);
  });

  it('never removes a needed snapshot by count', () => {
    const needed = snapshot(1, { isNeeded: true });
    const others = [2, 3, 4, 5].map((id) => snapshot(id));
    assert.deepEqual(expired([needed, ...others]), [
      [2n, 'count'],
      [3n, 'count'],
    ]);
  });

  it('counts a snapshot once for a session with two of its moments', () => {
    const twice = shared(snapshot(2), snapshot(1));
    assert.deepEqual(expired([twice, snapshot(3), snapshot(4)]), []);
    assert.deepEqual(expired([twice, snapshot(3), snapshot(4), snapshot(5)]), [[2n, 'count']]);
  });

  it('removes by count, oldest first, for each session separately', () => {
    const others = [1, 2, 3].map((id) => snapshot(id, { sessionId: 'other' }));
    const own = [5, 4, 3, 2, 1].map((id) => snapshot(id));
    assert.deepEqual(expired([...own, ...others]), [
      [1n, 'count'],
      [2n, 'count'],
    ]);
  });

  it('counts shared snapshots for each session, and removes them if they exceed all limits', () => {
    const own = [3, 4, 5].map((id) => snapshot(id));
    const others = [2, 3].map((id) => snapshot(id, { sessionId: 'other' }));
    const between = shared(snapshot(1, { sessionId: 'other' }), snapshot(2));
    assert.deepEqual(expired([between, ...own, ...others]), [[3n, 'count']]);
    const more = [...others, snapshot(4, { sessionId: 'other' })];
    assert.deepEqual(expired([between, ...own, ...more]), [[1n, 'count']]);
  });

  describe('for a session whose last snapshot is the first one of the next session', () => {
    const OLD = NOW - 5000;
    const moment = (sessionId: string, id: number, afterMs: number): KeptMoment => ({
      sessionId,
      id: BigInt(id),
      takenMs: OLD + afterMs,
    });
    const start = shared(moment('a', 1, 0));
    const between = shared(moment('b', 1, 2), moment('a', 2, 1));
    const end = shared(moment('b', 2, 3));
    const states = [start, between, end];

    it('keeps that one by age', () => {
      const [only, ...others] = expiredSnapshots(states, POLICY, NOW);
      assert.deepEqual([only?.snapshot, others], [start, []]);
    });

    it('keeps that one by count', () => {
      const policy = { maxAgeMs: 1e9, maxCount: 1 };
      const [only, ...others] = expiredSnapshots(states, policy, NOW);
      assert.deepEqual([only?.snapshot, others], [start, []]);
    });

    it('keeps that one by size', async () => {
      const freedBy = (some: readonly KeptSnapshot[]) => Promise.resolve(some.length);
      const [only, ...others] = await expiredBySize(states, [], 1e9, freedBy);
      assert.deepEqual([only?.snapshot, others], [start, []]);
    });
  });

  it('takes the higher number for the newest of snapshots with the same time', () => {
    const old = { takenMs: NOW - 2000 };
    assert.deepEqual(expired([snapshot(2, old), snapshot(1, old)]), [[1n, 'age']]);
    assert.deepEqual(expired([snapshot(1, old), snapshot(2, old)]), [[1n, 'age']]);
  });

  it('takes the later time for the newest, even if the clock went back', () => {
    const last = snapshot(1, { takenMs: NOW - 1500 });
    const first = snapshot(2, { takenMs: NOW - 2000 });
    assert.deepEqual(expired([last, first]), [[2n, 'age']]);
    assert.deepEqual(expired([first, last]), [[2n, 'age']]);
  });

  it('removes by size until there is room, with few queries', async () => {
    const snapshots = Array.from({ length: 100 }, (_, id) => snapshot(id));
    let asked = 0;
    // Content shared by two snapshots is freed with the second of them.
    const freedBy = (some: readonly KeptSnapshot[]) => {
      asked++;
      return Promise.resolve(Math.floor(some.length / 2) * 10);
    };
    const bySize = await expiredBySize(snapshots, [], 75, freedBy);
    assert.deepEqual(
      bySize.map((expiry) => [Number(expiry.snapshot.id), expiry.because]),
      Array.from({ length: 16 }, (_, id) => [id, 'size']),
    );
    assert.ok(asked <= 9, `asked ${asked} times`);
    assert.deepEqual(await expiredBySize(snapshots, [], 0, freedBy), []);
    const going = [{ snapshot: snapshots[0]!, because: 'age' as const }];
    const others = await expiredBySize(snapshots, going, 20, freedBy);
    assert.deepEqual(
      others.map((expiry) => Number(expiry.snapshot.id)),
      [1, 2, 3],
    );
    // The limit is exceeded by more than all snapshots take, so all but the newest are removed.
    assert.equal((await expiredBySize(snapshots, [], 1e9, freedBy)).length, 99);
  });

  it('never removes a needed snapshot, whatever its cost', async () => {
    const needed = [1, 2, 3, 4, 5].map((id) => snapshot(id, { takenMs: 0, isNeeded: true }));
    assert.deepEqual(expired(needed), []);
    assert.deepEqual(await expiredBySize(needed, [], 1e9, () => Promise.resolve(0)), []);
  });

  it('removes by size oldest first, in whatever order they are listed', async () => {
    const snapshots = [3, 1, 4, 2].map((id) => snapshot(id));
    const freedBy = (some: readonly KeptSnapshot[]) => Promise.resolve(some.length);
    const idsOf = async (excessBytes: number): Promise<number[]> => {
      const bySize = await expiredBySize(snapshots, [], excessBytes, freedBy);
      return bySize.map((expiry) => Number(expiry.snapshot.id));
    };
    assert.deepEqual(await idsOf(1), [1]);
    assert.deepEqual(await idsOf(2), [1, 2]);
    assert.deepEqual(await idsOf(3), [1, 2, 3]);
  });

  it('queries nothing if there is no excess, or nothing may be removed', async () => {
    const freedBy = () => Promise.reject(new Error('not to be asked'));
    const snapshots = [1, 2].map((id) => snapshot(id));
    assert.deepEqual(await expiredBySize(snapshots, [], 0, freedBy), []);
    assert.deepEqual(await expiredBySize(snapshots, [], -1, freedBy), []);
    assert.deepEqual(await expiredBySize([snapshot(1)], [], 1, freedBy), []);
  });

  it('removes nothing by size if the already expired snapshots are enough', async () => {
    const snapshots = [1, 2, 3].map((id) => snapshot(id));
    const expiring = [{ snapshot: snapshots[0]!, because: 'age' as const }];
    const freedBy = (some: readonly KeptSnapshot[]) => Promise.resolve(some.length * 10);
    assert.deepEqual(await expiredBySize(snapshots, expiring, 10, freedBy), []);
    const [only, ...others] = await expiredBySize(snapshots, expiring, 11, freedBy);
    assert.deepEqual([only?.snapshot.id, others], [2n, []]);
  });
});
