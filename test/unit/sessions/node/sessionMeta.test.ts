import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSessionMeta } from '../../../../src/sessions/node/sessionMeta.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the host in session.meta.json', () => {
  const folder = useTemporaryFolder();

  async function read(host: object | undefined): Promise<object> {
    const meta = {
      version: 1,
      id: 'a',
      state: 'finished',
      cmd: ['sh'],
      cwd: '/',
      cols: 80,
      rows: 24,
      recording: '/a.ahr',
      hostSocket: '/a.sock',
      ...(host && { host }),
    };
    // Only long numbers are read as exact integers.
    const text = JSON.stringify(meta).replace('{', '{"startedAtNs":1710000000000000000,');
    writeFileSync(path.join(folder.path, 'session.meta.json'), text);
    return (await readSessionMeta(folder.path)).host;
  }

  it('has the architecture as the format names it, also in old sessions', async () => {
    const host = { os: 'linux', pid: 1 };
    for (const [written, arch] of [
      ['x64', 'x86_64'],
      ['arm64', 'aarch64'],
      ['x86_64', 'x86_64'],
      ['riscv64', 'riscv64'],
    ]) {
      assert.deepEqual(await read({ ...host, arch: written }), { ...host, arch });
    }
    assert.deepEqual(await read(undefined), { arch: '' });
  });
});
