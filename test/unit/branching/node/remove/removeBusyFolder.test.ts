import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  keepAway,
  removeBusyFolder,
} from '../../../../../src/branching/node/remove/removeBusyFolder.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('a folder that somebody still writes to', () => {
  const place = useTemporaryFolder();
  const failing = (code: string) => Object.assign(new Error(code), { code });

  it('is removed when they have come to an end', async () => {
    const failures = [failing('ENOTEMPTY'), failing('EBUSY')];
    await removeBusyFolder('/x', () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve();
    });
    assert.deepEqual(failures, []);
  });

  it('stays when they go on, and that is said; other failures are', async () => {
    const remove = (code: string) => removeBusyFolder('/x', () => Promise.reject(failing(code)), 0);
    await assert.rejects(remove('ENOTEMPTY'), { code: 'folder-busy', message: /^\/x is in use/ });
    await assert.rejects(remove('EACCES'), { code: 'EACCES' });
  });

  it('is removed once more when they make it anew', async () => {
    const folder = path.join(place.path, 'x');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'late'), '');
    await keepAway(folder);
    assert.ok(!existsSync(folder));
  });
});
