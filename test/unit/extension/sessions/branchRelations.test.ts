import assert from 'node:assert/strict';
import {
  branchesOf,
  distantOriginal,
  lanesOf,
  rootsOf,
  rowsBelow,
} from '../../../../src/extension/sessions/branchRelations.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import { groupSessions } from '../../../../src/extension/sessions/list/sessionGroups.ts';

const MS = 1_000_000n;

function session(id: string, from?: { id: string; atMs: bigint }, endedMs?: bigint): Session {
  return {
    folder: `/${id}`,
    notes: { name: id },
    meta: {
      version: 1,
      id,
      state: endedMs === undefined ? 'running' : 'finished',
      cmd: ['x'],
      cwd: '/',
      cols: 80,
      rows: 24,
      brotliQ: 4,
      startedAtNs: 1000n * MS,
      recording: '',
      ...(endedMs !== undefined && { endedAtNs: endedMs * MS }),
      host: { os: '', arch: '', pid: 1 },
      hostSocket: '',
      ipcSocket: '',
      ...(from && {
        branchOf: {
          fromSessionId: from.id,
          fromTs: from.atMs * MS,
          fromByte: 7,
          fsSnapshotId: 1n,
          method: 'replay',
          agentDetails: {},
          name: id,
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

  it('form a tree; branches without a listed parent are roots', () => {
    const ended = sessions.slice(1);
    assert.deepEqual(ids(rootsOf(ended)), ['a', 'orphan']);
    assert.deepEqual(ids(rowsBelow(ended[1]!, ended)), ['b']);
    assert.deepEqual(ids(branchesOf('b', sessions)), ['c']);
    assert.deepEqual(ids(rootsOf(sessions.slice(0, 1))), ['c'], 'its parent is not listed');
  });

  it('list a running branch as running, and its ended parents below their day', () => {
    assert.deepEqual(ids(rowsBelow(sessions[1]!, sessions)), []);
    assert.equal(distantOriginal(sessions[0]!, sessions)?.meta.id, 'b', 'its row names it');
    assert.equal(distantOriginal(sessions[1]!, sessions), undefined);
    const groups = groupSessions(rootsOf(sessions), new Date());
    assert.deepEqual(
      groups.map(({ key, sessions: listed }) => [key === 'running', ids(listed)]),
      [
        [true, ['c']],
        [false, ['a', 'orphan']],
      ],
    );
    const parent = session('p');
    const both = [session('q', { id: 'p', atMs: 1n }), parent];
    assert.deepEqual(ids(rootsOf(both)), ['p'], 'a running parent keeps its branches');
    assert.deepEqual(ids(rowsBelow(parent, both)), ['q']);
  });

  it('end where only one of the two is pinned or archived', () => {
    const parent = { ...session('p', undefined, 1001n), notes: { isArchived: true } };
    const both = [session('q', { id: 'p', atMs: 1n }, 1001n), parent];
    assert.deepEqual(ids(rootsOf(both)), ['q', 'p']);
    assert.deepEqual(ids(rowsBelow(parent, both)), []);
  });

  it('become lanes that start at the branch’s moment and show its length', () => {
    const [lane] = lanesOf('a', sessions, 500n * MS, 5000);
    assert.deepEqual(lane, {
      sessionId: 'b',
      name: 'b',
      timeMs: 100,
      byteOffset: 7,
      durationMs: 500,
      isRunning: false,
    });
    const [live] = lanesOf('b', sessions, 0n, 1250);
    assert.deepEqual([live?.durationMs, live?.isRunning], [250, true]);
  });
});
