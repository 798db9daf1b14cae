import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/extension/sessions/session.ts';
import { sessionName } from '../../../../../src/extension/sessions/session.ts';
import {
  groupSessions,
  matchesFilter,
} from '../../../../../src/extension/sessions/list/sessionGroups.ts';
import type { SessionState } from '../../../../../src/sessions/node/sessionMeta.ts';

function makeSession(id: string, startedAt: Date, state: SessionState = 'finished'): Session {
  return {
    folder: `/sessions/${id}`,
    notes: {},
    meta: {
      version: 1,
      id,
      state,
      cmd: ['/usr/bin/claude', '--model', 'opus'],
      cwd: '/src/shop',
      startedAtNs: BigInt(startedAt.getTime()) * 1_000_000n,
      cols: 80,
      rows: 24,
      brotliQ: 4,
      hostSocket: '',
      ipcSocket: '',
      host: { os: 'linux', arch: 'x64', pid: 1 },
      recording: `/sessions/${id}/session.ahr`,
    },
  };
}

describe('session groups', () => {
  const now = new Date(2026, 10, 16, 0, 30);

  it('put running sessions first, then others by day', () => {
    const groups = groupSessions(
      [
        makeSession('now', now),
        makeSession('midnight', new Date(2026, 10, 15, 23, 59)),
        makeSession('running', new Date(2026, 10, 14), 'running'),
        makeSession('interrupted', new Date(2026, 10, 15, 1), 'interrupted'),
        makeSession('old', new Date(2026, 9, 1)),
      ],
      now,
    );
    assert.deepEqual(
      groups.map(({ day, sessions }) => [day?.daysAgo, sessions.map(({ meta }) => meta.id)]),
      [
        [undefined, ['running']],
        [0, ['now']],
        [1, ['midnight', 'interrupted']],
        [46, ['old']],
      ],
    );
    assert.equal(new Set(groups.map(({ key }) => key)).size, 4);
  });

  it('put pinned sessions above the days and archived ones below', () => {
    const noted = (id: string, notes: Session['notes'], state?: SessionState): Session => ({
      ...makeSession(id, now, state),
      notes,
    });
    const groups = groupSessions(
      [
        noted('shelved', { isArchived: true, isPinned: true }),
        noted('plain', {}),
        noted('kept', { isPinned: true }),
        noted('busy', { isPinned: true }, 'running'),
      ],
      now,
    );
    assert.deepEqual(
      groups.map(({ place, sessions }) => [place, ...sessions.map(({ meta }) => meta.id)]),
      [
        ['running', 'busy'],
        ['pinned', 'kept'],
        ['day', 'plain'],
        ['archived', 'shelved'],
      ],
    );
  });

  it('match a filter if they contain each of its words', () => {
    const session = makeSession('one', now);
    for (const filter of ['', 'claude', 'OPUS shop', 'claude code']) {
      assert.equal(matchesFilter(session, filter), true, filter);
    }
    assert.equal(matchesFilter(session, 'claude codex'), false);
  });

  it('name sessions by given name, agent or program', () => {
    const session = makeSession('one', now);
    assert.equal(sessionName(session), 'Claude Code');
    assert.equal(sessionName({ ...session, notes: { name: 'Fix the till' } }), 'Fix the till');
    const other = { ...session, meta: { ...session.meta, cmd: ['/bin/bash'] } };
    assert.equal(sessionName(other), 'bash');
    assert.equal(sessionName({ ...other, notes: { agent: 'codex' } }), 'Codex');
  });
});
