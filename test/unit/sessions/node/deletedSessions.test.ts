import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Catalogue } from '../../../../src/sessions/node/catalogue.ts';
import { DeletedSessions } from '../../../../src/sessions/node/deletedSessions.ts';
import {
  writeSessionMeta,
  type SessionMeta,
  type SessionState,
} from '../../../../src/sessions/node/sessionMeta.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('DeletedSessions', () => {
  const folder = useTemporaryFolder();
  let catalogue: Catalogue;
  let deleted: DeletedSessions;
  beforeEach(() => {
    catalogue = new Catalogue(path.join(folder.path, 'catalogue'));
    deleted = new DeletedSessions(catalogue);
  });

  async function makeSession(id: string, state: SessionState = 'finished') {
    const sessionFolder = path.join(folder.path, 'sessions', id);
    mkdirSync(sessionFolder, { recursive: true });
    const meta: SessionMeta = {
      version: 1,
      id,
      state,
      startedAtNs: 1_700_000_000_000_000_000n,
      cmd: ['/bin/true'],
      cwd: '/',
      cols: 80,
      rows: 24,
      brotliQ: 4,
      hostSocket: '',
      ipcSocket: '',
      host: { os: 'linux', arch: 'x64', pid: 1 },
      recording: path.join(sessionFolder, 'session.ahr'),
    };
    await writeSessionMeta(sessionFolder, meta);
    await catalogue.add(id, sessionFolder);
    return catalogue.get(id);
  }
  const listed = async () => (await catalogue.list()).map(({ meta }) => meta.id);

  it('removes a session from the catalogue and restores it', async () => {
    await deleted.add(await makeSession('one'));
    assert.deepEqual(await listed(), []);
    await deleted.restore('one');
    assert.deepEqual(await listed(), ['one']);
    assert.deepEqual(await deleted.purgeOlderThan(0), []);
  });

  it('purges the files for good', async () => {
    const session = await makeSession('one');
    await deleted.add(session);
    assert.equal(existsSync(session.folder), true);
    await deleted.purge('one');
    assert.equal(existsSync(session.folder), false);
  });

  it('purges sessions that another window deleted, after a while', async () => {
    const session = await makeSession('one');
    await deleted.add(session);
    assert.deepEqual(await new DeletedSessions(catalogue).purgeOlderThan(60_000), []);
    assert.deepEqual(await new DeletedSessions(catalogue).purgeOlderThan(0), ['one']);
    assert.equal(existsSync(session.folder), false);
  });

  it('refuses a running session', async () => {
    const session = await makeSession('one', 'running');
    await assert.rejects(deleted.add(session), {
      code: 'session-running',
      remedy: { kind: 'stopSession', sessionId: session.meta.id },
    });
    assert.deepEqual(await listed(), ['one']);
  });

  it('never removes a folder that is not the session’s own', async () => {
    const other = await makeSession('other');
    await deleted.add(await makeSession('one'));
    const note = path.join(folder.path, 'deleted/one.json');
    writeFileSync(note, JSON.stringify({ folder: other.folder, deletedAtMs: 0 }));
    await deleted.purge('one');
    assert.equal(existsSync(other.folder), true);
  });
});
