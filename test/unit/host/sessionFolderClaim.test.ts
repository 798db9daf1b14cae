import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimSessionFolder } from '../../../src/host/sessionFolderClaim.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

describe('the folder of a new session', () => {
  const place = useTemporaryFolder();
  const MINUTE_AGO = new Date(Date.now() - 60_000);

  it('is claimed by one of several recorders', async () => {
    const folder = path.join(place.path, 'sessions/s');
    const tries = await Promise.allSettled([1, 2, 3].map(() => claimSessionFolder(folder)));
    assert.deepEqual(tries.map(({ status }) => status).sort(), [
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await assert.rejects(claimSessionFolder(folder), { code: 'session-exists' });
  });

  it('is taken over only from a recorder that was killed before it wrote the metadata', async () => {
    const old = (name: string, file: string) => {
      const folder = path.join(place.path, name);
      mkdirSync(folder);
      writeFileSync(path.join(folder, file), '{');
      utimesSync(folder, MINUTE_AGO, MINUTE_AGO);
      return folder;
    };
    const killed = old('killed', 'session.ahr');
    await claimSessionFolder(killed);
    assert.ok(!existsSync(path.join(killed, 'session.ahr')));
    // A folder with damaged metadata still belongs to a session.
    const session = old('session', 'session.meta.json');
    await assert.rejects(claimSessionFolder(session), { code: 'session-exists' });
    assert.ok(existsSync(path.join(session, 'session.meta.json')));
  });

  it('stays claimed by a recorder that waits for its terminal', async () => {
    const waiting = path.join(place.path, 'waiting');
    await claimSessionFolder(waiting);
    utimesSync(waiting, MINUTE_AGO, MINUTE_AGO);
    await assert.rejects(claimSessionFolder(waiting), { code: 'session-exists' });
    // When that recorder has ended, another one may claim the folder.
    writeFileSync(path.join(waiting, 'starting'), '999999-gone');
    await claimSessionFolder(waiting);
    assert.notEqual(readFileSync(path.join(waiting, 'starting'), 'utf8'), '999999-gone');
  });
});
