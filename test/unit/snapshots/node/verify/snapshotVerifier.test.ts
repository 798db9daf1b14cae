import assert from 'node:assert/strict';
import { SnapshotVerifier } from '../../../../../src/snapshots/node/verify/snapshotVerifier.ts';
import type { FileStat } from '../../../../../src/snapshots/common/ports.ts';
import {
  WORKSPACE_NOW,
  type FileChange,
  type Omission,
  type SnapshotProvider,
} from '../../../../../src/snapshots/common/provider.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

const SECOND_NS = 1_000_000_000n;

describe('the verification of incremental snapshots', () => {
  it('finds changes that were not reported, whatever the file times are', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [
        { path: 'silent', kind: 'modified' },
        { path: 'silent too', kind: 'modified' },
        { path: 'loud', kind: 'modified' },
        { path: 'moved/here', kind: 'added' },
        { path: 'removed/deep/file', kind: 'deleted' },
        { path: 'gone', kind: 'deleted' },
      ],
      touched: { '': 5, silent: -1, 'silent too': 5, loud: -1, moved: 5, 'moved/here': -1 },
    });
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    await clock.advance(5000);
    verifier.tell(['loud', 'moved', 'removed']);
    await clock.advance(4000);
    assert.deepEqual(missed, []);
    await clock.advance(1000);
    assert.deepEqual(missed, [['silent', 'silent too', 'gone']]);
  });

  it('uses file times if a report was so early that its change may be older', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [
        { path: 'before', kind: 'modified' },
        { path: 'after', kind: 'modified' },
        { path: 'moved/old', kind: 'added' },
        { path: 'closed/removed/file', kind: 'deleted' },
        { path: 'open/removed/file', kind: 'deleted' },
      ],
      touched: { '': -1, before: -1, after: 1, moved: 1, 'moved/old': -9, closed: -1, open: 1 },
    });
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    verifier.tell(['before', 'after', 'moved', 'closed/removed', 'open/removed']);
    await clock.advance(10_000);
    assert.deepEqual(missed, [['before', 'closed/removed/file']]);
  });

  it('counts reports during the snapshot, but not earlier ones', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [
        { path: 'early', kind: 'modified' },
        { path: 'meanwhile', kind: 'modified' },
      ],
      touched: { '': 0, early: 0, meanwhile: 0 },
    });
    verifier.tell(['early']);
    verifier.begin();
    await clock.advance(500);
    verifier.tell(['meanwhile']);
    verifier.note(snapshot('ref'), clock.nowNs());
    await clock.advance(10_000);
    assert.deepEqual(missed, [['early']]);
  });

  it('counts reports during the comparison, even if another snapshot is taken', async () => {
    let isLooking = (): void => {};
    const looking = new Promise<void>((resolve) => (isLooking = resolve));
    const { clock, verifier, missed } = setUp({
      changes: [{ path: 'a', kind: 'modified' }],
      touched: {},
      catchUp: () => looking.then(() => true),
    });
    verifier.begin();
    verifier.note(snapshot('one'), clock.nowNs());
    await clock.advance(10_000);
    verifier.begin();
    verifier.note(snapshot('two'), clock.nowNs());
    verifier.tell(['a']);
    isLooking();
    await clock.advance(0);
    assert.deepEqual(missed, [[]]);
  });

  it('is not conclusive without reports, except for changes that are older', async () => {
    const touched = { '': 1, old: -1, 'old/file': -1, new: 1 };
    const unclear: FileChange = { path: 'new', kind: 'modified' };
    for (const how of ['lost events', 'rules', 'a late mark'] as const) {
      const { clock, verifier, missed, world } = setUp({
        changes: [unclear],
        touched,
        catchUp: () => Promise.resolve(how !== 'a late mark'),
      });
      const look = async () => {
        verifier.begin();
        verifier.note(snapshot('ref'), clock.nowNs());
        if (how === 'lost events') verifier.tell(undefined);
        if (how === 'rules') verifier.tell(['sub/.gitignore']);
        await clock.advance(10_000);
      };
      await look();
      assert.deepEqual(missed, [], `${how}: no answer is better than a wrong one`);
      world.changes = [unclear, { path: 'old/file', kind: 'modified' }];
      world.touched = { ...touched, '': -1, new: 15 };
      await look();
      assert.deepEqual(missed, [['old/file']], how);
    }
  });

  it('does not use file times if the clock was set back', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [{ path: 'a', kind: 'modified' }],
      touched: { '': -3600, a: -3600 },
    });
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    verifier.tell(['a']);
    clock.standStill();
    await clock.advance(10_000);
    assert.deepEqual(missed, [[]]);
  });

  it('ignores files that the snapshot lists as left out, or that are left out now', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [
        { path: 'build/out.js', kind: 'added' },
        { path: 'other.js', kind: 'added' },
        { path: 'kept.log', kind: 'deleted' },
      ],
      touched: { '': -1, 'other.js': -1, 'build/out.js': -1, build: -1, 'kept.log': -1 },
    });
    const ignored = ['build', ''].map((path): Omission => ({ path, reason: 'ignored' }));
    verifier.begin();
    verifier.note(snapshot('ref', ignored), clock.nowNs());
    // After this report any file may have changed, and another rule applies.
    verifier.tell(['.gitignore']);
    await clock.advance(10_000);
    assert.deepEqual(missed, [['other.js']]);
  });

  it('uses reports of single files even if any file may have changed', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [
        { path: '.gitignore', kind: 'modified' },
        { path: 'told', kind: 'modified' },
        { path: 'caf\udce9/file', kind: 'added' },
      ],
      touched: { '': 5, '.gitignore': 5, told: 5 },
    });
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    await clock.advance(5000);
    // A name that is not UTF-8 is reported with U+FFFD.
    verifier.tell(['.gitignore', 'told', 'caf\ufffd/file']);
    await clock.advance(5000);
    assert.deepEqual(missed, [[]]);
  });

  it('treats a reported name that is not UTF-8 as any name', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [{ path: 'other', kind: 'modified' }],
      touched: { '': 5, other: 5 },
    });
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    await clock.advance(5000);
    verifier.tell(['caf\ufffd']);
    await clock.advance(5000);
    assert.deepEqual(missed, [], 'no answer is better than a wrong one');
  });

  it('uses the last snapshot at the end, which is complete', async () => {
    let attempts = 0;
    const { clock, verifier, missed, compared } = setUp({
      changes: [
        { path: 'silent', kind: 'modified' },
        { path: 'loud', kind: 'modified' },
        { path: 'late', kind: 'modified' },
      ],
      touched: { '': -1, silent: 1, loud: 1, late: -1 },
      catchUp: () => Promise.resolve(++attempts > 2),
    });
    await verifier.verifyBy('none to prove');
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    verifier.tell(['late']);
    await clock.advance(1000);
    verifier.stop();
    verifier.tell(['loud']);
    await verifier.verifyBy('end');
    assert.deepEqual([compared, missed], [['ref to end'], [['silent', 'late']]]);
    await clock.advance(20_000);
    assert.equal(compared.length, 1, 'it looks no more');
  });

  it('is not possible at the end if nothing is certain', async () => {
    const { clock, verifier, missed } = setUp({
      changes: [{ path: 'new', kind: 'modified' }],
      touched: { '': 1, new: 1 },
      catchUp: () => Promise.resolve(false),
    });
    verifier.begin();
    verifier.note(snapshot('ref'), clock.nowNs());
    verifier.stop();
    await verifier.verifyBy('end');
    assert.deepEqual(missed, []);
  });

  it('compares once for several snapshots, with the last one, and not after the end', async () => {
    const { clock, verifier, compared } = setUp({ changes: [], touched: {} });
    verifier.note(snapshot('a'), clock.nowNs());
    verifier.note(snapshot('b'), clock.nowNs());
    await clock.advance(20_000);
    assert.deepEqual(compared, ['b']);
    verifier.note(snapshot('c'), clock.nowNs());
    verifier.dispose();
    await clock.advance(20_000);
    assert.deepEqual(compared, ['b']);
  });
});

function snapshot(ref: string, omissions: readonly Omission[] = []) {
  return { ref, omissions };
}

/** A clock that can be stopped, like the system clock when it is set back; timers continue. */
class StoppableClock extends FakeClock {
  #stoppedNs: bigint | undefined;

  standStill(): void {
    this.#stoppedNs = super.nowNs();
  }

  override nowNs(): bigint {
    return this.#stoppedNs ?? super.nowNs();
  }
}

interface World {
  changes: FileChange[];
  /** When each path was last changed, in seconds after the first snapshot. */
  touched: Record<string, number>;
  catchUp?: () => Promise<boolean>;
}

function setUp(world: World) {
  const clock = new StoppableClock();
  const startNs = clock.nowNs();
  const missed: (readonly string[])[] = [];
  const compared: string[] = [];
  const diff = (ref: string, other: string) => {
    compared.push(other === WORKSPACE_NOW ? ref : `${ref} to ${other}`);
    return Promise.resolve(world.changes);
  };
  const verifier = new SnapshotVerifier(
    {
      provider: Promise.resolve({ diff, workspace: '/w' } as unknown as SnapshotProvider),
      clock,
      stat: (path) => {
        const seconds = world.touched[path.slice('/w/'.length)];
        if (seconds === undefined) return Promise.reject(new Error('ENOENT'));
        const ctimeNs = startNs + BigInt(seconds) * SECOND_NS;
        return Promise.resolve({ kind: 'file', ctimeNs } as FileStat);
      },
      catchUp: world.catchUp ?? (() => Promise.resolve(true)),
    },
    (paths) => missed.push(paths),
  );
  return { clock, verifier, missed, compared, world };
}
