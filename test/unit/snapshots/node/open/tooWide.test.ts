import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tooWide } from '../../../../../src/snapshots/node/open/tooWide.ts';

describe('a workspace that is too wide for snapshots', () => {
  it('is the home folder, also by a link, and the whole machine, but no project', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'ah-w-'));
    const link = path.join(folder, 'link');
    symlinkSync(os.homedir(), link);
    try {
      assert.equal(await tooWide(os.homedir()), 'home');
      assert.equal(await tooWide(link), 'home');
      assert.equal(await tooWide('/'), 'machine');
      assert.equal(await tooWide(folder), undefined);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
