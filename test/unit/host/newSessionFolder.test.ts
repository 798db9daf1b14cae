import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeSessionFolder } from '../../../src/host/newSessionFolder.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

describe('the folder of a new session', () => {
  const place = useTemporaryFolder();
  const MINUTE_AGO = new Date(Date.now() - 60_000);

  it('is made by one of several recorders', async () => {
    const folder = path.join(place.path, 'sessions/s');
    const tries = await Promise.allSettled([1, 2, 3].map(() => makeSessionFolder(folder)));
    assert.deepEqual(tries.map(({ status }) => status).sort(), [
      ...['fulfilled', 'rejected', 'rejected'],
    ]);
    await assert.rejects(makeSessionFolder(folder), { code: 'session-exists' });
  });

  it('is taken over from a recorder that was killed before it said anything, and from no other', async () => {
    const old = (name: string, file: string) => {
      const folder = path.join(place.path, name);
      mkdirSync(folder);
      writeFileSync(path.join(folder, file), '{');
      utimesSync(folder, MINUTE_AGO, MINUTE_AGO);
      return folder;
    };
    const killed = old('killed', 'session.ahr');
    await makeSessionFolder(killed);
    assert.ok(!existsSync(path.join(killed, 'session.ahr')));
    // Damaged, and somebody's all the same.
    const session = old('session', 'session.meta.json');
    await assert.rejects(makeSessionFolder(session), { code: 'session-exists' });
    assert.ok(existsSync(path.join(session, 'session.meta.json')));
  });

  it('stays that of a recorder that waits for its terminal, however long', async () => {
    const waiting = path.join(place.path, 'waiting');
    await makeSessionFolder(waiting);
    utimesSync(waiting, MINUTE_AGO, MINUTE_AGO);
    await assert.rejects(makeSessionFolder(waiting), { code: 'session-exists' });
    // Until it is gone.
    writeFileSync(path.join(waiting, 'starting'), '999999-gone');
    await makeSessionFolder(waiting);
    assert.notEqual(readFileSync(path.join(waiting, 'starting'), 'utf8'), '999999-gone');
  });
});
