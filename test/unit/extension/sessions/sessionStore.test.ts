import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import { Catalogue } from '../../../../src/sessions/node/catalogue.ts';
import { writeSessionMeta, type SessionMeta } from '../../../../src/sessions/node/sessionMeta.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const NO_PROCESS = 2 ** 22 + 1;

describe('SessionStore', () => {
  const folder = useTemporaryFolder();
  let store: SessionStore;
  let told: string[];

  beforeEach(() => {
    mkdirSync(path.join(folder.path, 'catalogue'));
    store = new SessionStore(new Catalogue(path.join(folder.path, 'catalogue')));
    told = [];
    store.onDidInterrupt(({ meta }) => told.push(meta.id));
  });
  afterEach(() => store.dispose());

  /** Writes a running session that has just started, so its recorder may not listen yet. */
  async function putSession(changes: Partial<SessionMeta> = {}): Promise<void> {
    const place = path.join(folder.path, 'one');
    mkdirSync(place, { recursive: true });
    await writeSessionMeta(place, {
      version: 1,
      id: 'one',
      state: 'running',
      startedAtNs: BigInt(Date.now()) * 1_000_000n,
      cmd: ['/bin/true'],
      cwd: '/',
      cols: 80,
      rows: 24,
      brotliQ: 4,
      hostSocket: path.join(place, 'host.sock'),
      ipcSocket: '',
      host: { os: 'linux', arch: 'x64', pid: process.pid },
      recording: path.join(place, 'session.ahr'),
      ...changes,
    });
    await new Catalogue(path.join(folder.path, 'catalogue')).add('one', place);
  }

  it('reports a session whose recorder is dead', async () => {
    await putSession();
    await store.refresh();
    assert.deepEqual(told, []);
    await putSession({ host: { os: 'linux', arch: 'x64', pid: NO_PROCESS } });
    await store.refresh();
    assert.deepEqual(told, ['one']);
  });

  it('reports it once, even if another window noticed first', async () => {
    await putSession();
    await store.refresh();
    await putSession({ state: 'interrupted' });
    await store.refresh();
    await store.refresh();
    assert.deepEqual(told, ['one']);
  });

  it('does not report sessions that were interrupted before', async () => {
    await putSession({ state: 'interrupted' });
    await store.refresh();
    assert.deepEqual(told, []);
  });

  it('knows whether some sessions could not be read', async () => {
    await putSession();
    await store.refresh();
    assert.equal(store.areSomeUnknown, false);
    writeFileSync(path.join(folder.path, 'one/session.meta.json'), '{');
    await store.refresh();
    assert.equal(store.get('one'), undefined);
    assert.equal(store.areSomeUnknown, true);
  });
});
