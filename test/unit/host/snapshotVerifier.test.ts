import assert from 'node:assert/strict';
import { SnapshotVerifier } from '../../../src/host/snapshotVerifier.ts';
import type { FileStat } from '../../../src/snapshots/ports.ts';
import type { FileChange, SnapshotProvider } from '../../../src/snapshots/provider.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const SECOND_NS = 1_000_000_000n;

describe('the proof of snapshots that looked only where the watcher said', () => {
  it('names files that had changed before and are not in them', async () => {
    const { clock, verifier, missed } = setUp(
      [
        { path: 'missed', kind: 'modified' },
        { path: 'later', kind: 'modified' },
        { path: 'folder/gone', kind: 'deleted' },
        { path: 'other/gone', kind: 'deleted' },
        { path: 'nowhere', kind: 'added' },
      ],
      { missed: -1, later: 1, folder: -1, other: 1 },
    );
    verifier.note('ref', clock.nowNs());
    await clock.advance(9000);
    assert.deepEqual(missed, []);
    await clock.advance(1000);
    assert.deepEqual(missed, ['missed', 'folder/gone']);
  });

  it('looks once for many, at the last of them, and not when it is over', async () => {
    const { clock, verifier, compared } = setUp([], {});
    verifier.note('a', clock.nowNs());
    verifier.note('b', clock.nowNs());
    await clock.advance(20_000);
    assert.deepEqual(compared, ['b']);
    verifier.note('c', clock.nowNs());
    verifier.dispose();
    await clock.advance(20_000);
    assert.deepEqual(compared, ['b']);
  });
});

/** @param touched when each path was changed last, in seconds from the snapshot on */
function setUp(changes: FileChange[], touched: Record<string, number>) {
  const clock = new FakeClock();
  const startNs = clock.nowNs();
  const missed: string[] = [];
  const compared: string[] = [];
  const diff = (ref: string) => {
    compared.push(ref);
    return Promise.resolve(changes);
  };
  const verifier = new SnapshotVerifier(
    {
      provider: Promise.resolve({ diff } as unknown as SnapshotProvider),
      workspace: '/w',
      clock,
      stat: (path) => {
        const seconds = touched[path.slice('/w/'.length)];
        if (seconds === undefined) return Promise.reject(new Error('ENOENT'));
        return Promise.resolve({ ctimeNs: startNs + BigInt(seconds) * SECOND_NS } as FileStat);
      },
    },
    (paths) => missed.push(...paths),
  );
  return { clock, verifier, missed, compared };
}
