import assert from 'node:assert/strict';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import { mountsOf } from '../../../../src/snapshots/volume/mounts.ts';

const MOUNTS = `24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
43 24 0:39 / /tank rw - zfs tank rw,xattr
44 43 0:40 / /tank/home rw shared:2 master:1 - zfs tank/home rw
45 44 0:41 / /tank/home/project/in\\040memory rw - tmpfs tmpfs rw
46 44 0:42 / /tank/home/project-two rw - tmpfs tmpfs rw
47 24 0:40 /project /bound rw - zfs tank/home rw
not a line
`;

describe('the mounts around and within a folder', () => {
  const files = { read: () => Promise.resolve(Buffer.from(MOUNTS)) } as Partial<Files> as Files;

  it('are the deepest mount around, and all mounts within', async () => {
    const { around, within } = await mountsOf(files, '/tank/home/project');
    const home = { folder: '/tank/home', root: '/', type: 'zfs', source: 'tank/home' };
    assert.deepEqual(around, home);
    assert.deepEqual(within, [
      { path: 'in memory', reason: 'special', detail: 'a mounted tmpfs file system' },
    ]);
  });

  it('name the mounted part of the file system', async () => {
    assert.equal((await mountsOf(files, '/bound/x')).around?.root, '/project');
    assert.equal((await mountsOf(files, '/elsewhere')).around?.type, 'ext4');
  });

  it('are unknown on systems without such a list', async () => {
    const none = { read: () => Promise.reject(new Error('ENOENT')) } as Partial<Files> as Files;
    assert.deepEqual(await mountsOf(none, '/x'), { around: undefined, within: [] });
  });
});
