import assert from 'node:assert/strict';
import { SnapshotVerifier } from '../../../src/host/snapshotVerifier.ts';
import type { FileStat } from '../../../src/snapshots/ports.ts';
import type { FileChange, Omission, SnapshotProvider } from '../../../src/snapshots/provider.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const SECOND_NS = 1_000_000_000n;

describe('the proof of snapshots that looked only where the watcher said', () => {
  it('names what differs and was not told of since, whatever the times say', async () => {
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

  it('goes by the times where a change was told so soon that its event may have been late', async () => {
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

  it('counts what was told while the snapshot was taken, and not what was told before', async () => {
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

  it('counts what was told while it looks, though another snapshot is taken meanwhile', async () => {
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

  it('proves nothing where it is not known what was told, but for what was surely there before', async () => {
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

  it('does not go by times when the clock went back', async () => {
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

  it('does not mind what the snapshot says that it lacks, nor what is only left out by now', async () => {
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
    // From here on everything may be told: another rule holds.
    verifier.tell(['.gitignore']);
    await clock.advance(10_000);
    assert.deepEqual(missed, [['other.js']]);
  });

  it('looks once for many, at the last of them, and not when it is over', async () => {
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

/** Can be stopped, as ours is when the machine's goes back; timers go on. */
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
  /** When each path was changed last, in seconds from the first snapshot on. */
  touched: Record<string, number>;
  catchUp?: () => Promise<boolean>;
}

function setUp(world: World) {
  const clock = new StoppableClock();
  const startNs = clock.nowNs();
  const missed: (readonly string[])[] = [];
  const compared: string[] = [];
  const diff = (ref: string) => {
    compared.push(ref);
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
