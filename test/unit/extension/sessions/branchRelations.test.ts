import assert from 'node:assert/strict';
import {
  givenPoint,
  parseBranchArgument,
} from '../../../../src/extension/branches/branchArgument.ts';
import {
  branchesOf,
  isLive,
  lanesOf,
  rootsOf,
} from '../../../../src/extension/sessions/branchRelations.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import { groupSessions } from '../../../../src/extension/sessions/sessionGroups.ts';
import type { SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

const MS = 1_000_000n;

function session(id: string, from?: { id: string; atMs: bigint }, endedMs?: bigint): Session {
  return {
    folder: `/${id}`,
    notes: { name: id },
    meta: {
      ...{ version: 1, id, state: endedMs === undefined ? 'running' : 'finished', cmd: ['x'] },
      ...{ cwd: '/', cols: 80, rows: 24, brotliQ: 4, startedAtNs: 1000n * MS, recording: '' },
      ...(endedMs !== undefined && { endedAtNs: endedMs * MS }),
      ...{ host: { os: '', arch: '', pid: 1 }, hostSocket: '', ipcSocket: '' },
      ...(from && {
        branchOf: {
          ...{ fromSessionId: from.id, fromTs: from.atMs * MS, fromByte: 7, fsSnapshotId: 1n },
          ...{ method: 'replay', agentDetails: {}, name: id },
        },
      }),
    },
  };
}

describe('the relations of branches', () => {
  const sessions = [
    session('c', { id: 'b', atMs: 3n }),
    session('b', { id: 'a', atMs: 600n }, 1500n),
    session('a', undefined, 900n),
    session('orphan', { id: 'deleted', atMs: 1n }, 1001n),
  ];
  const ids = (found: readonly Session[]) => found.map(({ meta }) => meta.id);

  it('make a tree, in which what lost its parent stands by itself', () => {
    assert.deepEqual(ids(rootsOf(sessions)), ['a', 'orphan']);
    assert.deepEqual(ids(branchesOf('a', sessions)), ['b']);
    assert.deepEqual(ids(branchesOf('b', sessions)), ['c']);
    assert.deepEqual(ids(rootsOf(sessions.slice(0, 1))), ['c'], 'its parent is not listed');
  });

  it('make a session live of which a branch runs, and put it with those that run', () => {
    const live = (each: Session) => isLive(each, sessions);
    assert.deepEqual(ids(sessions.filter(live)), ['c', 'b', 'a']);
    const groups = groupSessions(rootsOf(sessions), new Date(), live);
    assert.deepEqual(
      groups.map(({ key, sessions: listed }) => [key === 'running', ids(listed)]),
      [
        [true, ['a']],
        [false, ['orphan']],
      ],
    );
  });

  it('are lanes that begin at their moment and are as long as they ran', () => {
    const [lane] = lanesOf('a', sessions, 500n * MS, 5000);
    assert.deepEqual(lane, {
      ...{ sessionId: 'b', name: 'b', timeMs: 100, byteOffset: 7, durationMs: 500 },
      isRunning: false,
    });
    const [live] = lanesOf('b', sessions, 0n, 1250);
    assert.deepEqual([live?.durationMs, live?.isRunning], [250, true]);
  });
});

describe('what a command about a moment is told', () => {
  const nothing = {
    sessionId: undefined,
    byte: undefined,
    tsNs: undefined,
    snapshotId: undefined,
    message: undefined,
  };

  it('is understood from the timeline, the list and others', () => {
    const moment = { meta: { id: 's' }, byteOffset: 5, snapshotId: '12', tsNs: '1' };
    assert.deepEqual(parseBranchArgument(moment), {
      ...{ sessionId: 's', byte: 5, tsNs: 1n, snapshotId: 12n, message: undefined },
    });
    assert.deepEqual(parseBranchArgument({ sessionId: 's', byte: 0, message: 'm' }), {
      ...{ ...nothing, sessionId: 's', byte: 0, message: 'm' },
    });
  });

  it('is a point: a snapshot of ours, else place and time, else what there is', () => {
    const line = (id: bigint, state: 'pending' | 'elsewhere'): SnapshotLine => ({
      ...{ id, tsNs: 1n, anchorByte: 0, label: '', kind: 'auto', trigger: 'tool' },
      files: { state },
    });
    const lines = [line(1n, 'pending'), line(2n, 'elsewhere')];
    const pointOf = (argument: object) => givenPoint(parseBranchArgument(argument), lines);
    const place = { byteOffset: 5, tsNs: '7' };
    const moment = { kind: 'moment', byteOffset: 5, tsNs: 7n };
    assert.deepEqual(pointOf({ ...place, snapshotId: '1' }), { kind: 'snapshot', id: 1n });
    for (const more of [{}, { snapshotId: '2' }, { snapshotId: '9' }]) {
      assert.deepEqual(pointOf({ ...place, ...more }), moment);
    }
    assert.deepEqual(pointOf({ snapshotId: '2' }), { kind: 'snapshot', id: 2n });
    assert.deepEqual(pointOf({ byte: 5 }), { kind: 'byte', byteOffset: 5 });
    assert.deepEqual(pointOf({ tsNs: 7n }), { kind: 'clock', tsNs: 7n });
    assert.equal(pointOf({ sessionId: 's' }), undefined);
  });

  it('is nothing when it makes no sense', () => {
    for (const argument of [
      undefined,
      null,
      7,
      [],
      { byte: -1, tsNs: 1.5, snapshotId: 'x', message: {} },
    ]) {
      assert.deepEqual(parseBranchArgument(argument), nothing);
    }
  });
});
