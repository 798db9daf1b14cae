import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  keepRemoved,
  removeBusyFolder,
} from '../../../../../src/branching/node/remove/removeBusyFolder.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('a folder to which a process still writes', () => {
  const place = useTemporaryFolder();
  const failing = (code: string) => Object.assign(new Error(code), { code });

  it('is removed when the process has ended', async () => {
    const failures = [failing('ENOTEMPTY'), failing('EBUSY')];
    await removeBusyFolder('/x', () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve();
    });
    assert.deepEqual(failures, []);
  });

  it('stays with an error if the process continues; other errors are thrown at once', async () => {
    const remove = (code: string) => removeBusyFolder('/x', () => Promise.reject(failing(code)), 0);
    await assert.rejects(remove('ENOTEMPTY'), {
      code: 'folder-busy',
      message: /^Can't remove \/x:/,
    });
    await assert.rejects(remove('EACCES'), { code: 'EACCES' });
  });

  it('is removed again if the process creates it again', async () => {
    const folder = path.join(place.path, 'x');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'late'), '');
    await keepRemoved(folder);
    assert.ok(!existsSync(folder));
  });
});
