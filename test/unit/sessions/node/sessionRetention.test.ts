import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../../src/branching/node/branchRegistry.ts';
import { Catalogue } from '../../../../src/sessions/node/catalogue.ts';
import { DeletedSessions } from '../../../../src/sessions/node/deletedSessions.ts';
import { writeSessionMeta, type SessionState } from '../../../../src/sessions/node/sessionMeta.ts';
import { changeSessionNotes } from '../../../../src/sessions/node/sessionNotes.ts';
import { expiredSessions, removeSessions } from '../../../../src/sessions/node/sessionRetention.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const DAY_NS = 86_400_000_000_000n;
const NOW = 1000n * DAY_NS;

describe('how long sessions are kept', () => {
  const temporary = useTemporaryFolder();

  it('is counted from their end; running sessions and those with pinned snapshots or branches stay', async () => {
    const catalogue = new Catalogue(path.join(temporary.path, 'catalogue'));
    const add = async (id: string, state: SessionState, daysAgo: bigint) => {
      const folder = path.join(temporary.path, id);
      mkdirSync(folder);
      const endedAtNs = NOW - daysAgo * DAY_NS;
      await writeSessionMeta(folder, {
        version: 1,
        id,
        state,
        cmd: ['x'],
        cwd: '/',
        cols: 80,
        rows: 24,
        brotliQ: 4,
        startedAtNs: endedAtNs - DAY_NS,
        hostSocket: '',
        ipcSocket: '',
        ...(state === 'finished' && { endedAtNs }),
        host: { os: 'linux', arch: 'x64', pid: 1 },
        recording: path.join(folder, 'session.ahr'),
      });
      await catalogue.add(id, folder);
      return folder;
    };
    const old = await add('old', 'finished', 31n);
    await add('young', 'finished', 29n);
    await add('running', 'running', 99n);
    await add('killed', 'interrupted', 40n);
    await changeSessionNotes(await add('pinned', 'finished', 50n), { pinnedSnapshots: ['1'] });

    await changeSessionNotes(await add('wanted', 'finished', 50n), { isPinned: true });

    await add('parent', 'finished', 60n);
    const registry = new BranchRegistry(path.join(temporary.path, 'branches'));
    await registry.put({
      version: 1,
      id: 'b1',
      name: 'b',
      state: 'ready',
      owner: '1-x',
      createdAtNs: NOW,
      kind: 'worktree',
      provider: 'git',
      destination: '/gone',
      workspace: '/gone',
      from: {
        sessionId: 'parent',
        workspace: '/',
        snapshotId: 1n,
        snapshotRef: 'r',
        byte: 0,
        timeNs: NOW,
      },
    });

    const expired = await expiredSessions(catalogue, 30, NOW, registry);
    assert.deepEqual(expired.map(({ meta }) => meta.id).sort(), ['killed', 'old']);
    await removeSessions(expired, new DeletedSessions(catalogue));
    assert.ok(!existsSync(old));
    const left = (await catalogue.list()).map(({ meta }) => meta.id);
    assert.deepEqual(left.sort(), ['parent', 'pinned', 'running', 'wanted', 'young']);
  });
});
