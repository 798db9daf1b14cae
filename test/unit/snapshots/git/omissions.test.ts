import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Files } from '../../../../src/snapshots/ports.ts';
import type { SnapshotProvider } from '../../../../src/snapshots/provider.ts';
import { nodeFiles } from '../../../../src/node/files/files.ts';
import {
  filesInTree,
  filesOnDisk,
  openReal,
  take,
  userGit,
} from '../../../support/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('git snapshots: what is left out', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let storage = '';
  let provider: SnapshotProvider | undefined;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'w');
    storage = path.join(folder.path, 'storage');
    await mkdir(workspace);
    await userGit(workspace, 'init', '-q');
    provider = undefined;
  });
  afterEach(() => provider?.dispose());

  const put = (name: string, content: string) => {
    const file = path.join(workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };

  it('names what is ignored, whole folders in one, and counts what is too much', async () => {
    put('.gitignore', 'node_modules/\n*.log\n');
    put('node_modules/a/b.js', 'x');
    for (let number = 0; number < 30; number += 1) put(`logs/${number}.log`, 'x');
    put('logs/kept', 'x');
    provider = await openReal(workspace, storage, { limits: { maxOmissions: 20 } });
    const { omissions, ref } = await take(provider);
    assert.equal(omissions.length, 21);
    assert.deepEqual(omissions.at(-1), {
      path: '',
      reason: 'ignored',
      detail: 'and 11 more that are ignored',
    });
    assert.deepEqual(
      [...(await filesInTree(await provider.open(ref))).keys()],
      ['.gitignore', 'logs/kept'],
    );
  });

  it('follows the rules as they change, and keeps what the user forces git to keep', async () => {
    put('a.log', 'a');
    put('forced.log', 'f');
    provider = await openReal(workspace, storage);
    const names = async (changed?: string[]) => {
      const { ref } = await take(provider!, changed);
      return [...(await filesInTree(await provider!.open(ref))).keys()];
    };
    assert.deepEqual(await names(), ['a.log', 'forced.log']);
    put('.gitignore', '*.log\n');
    assert.deepEqual(await names(['.gitignore']), ['.gitignore']);
    await userGit(workspace, 'add', '-f', 'forced.log');
    assert.deepEqual(await names([]), ['.gitignore', 'forced.log']);
    assert.deepEqual(await names(), ['.gitignore', 'forced.log']);
    await userGit(workspace, 'rm', '-q', '--cached', 'forced.log');
    assert.deepEqual(await names([]), ['.gitignore']);
    await userGit(workspace, 'add', '-f', 'forced.log');
    put('.git/info/exclude', '!a.log\nforced.log\n');
    assert.deepEqual(await names(), ['.gitignore', 'forced.log'], '.gitignore is the stronger');
    put('.gitignore', '');
    put('b.own', 'b');
    put('.git/info/exclude', '*.own\n');
    assert.deepEqual(await names(), ['.gitignore', 'a.log', 'forced.log']);
    await userGit(workspace, 'config', 'core.excludesFile', path.join(folder.path, 'mine'));
    await writeFile(path.join(folder.path, 'mine'), 'a.*\n');
    assert.deepEqual(await names(), ['.gitignore', 'forced.log']);
  });

  it('names files that are too large, before and after they are', async () => {
    put('big', 'x'.repeat(1001));
    put('small', 'x');
    provider = await openReal(workspace, storage, { limits: { maxFileBytes: 1000 } });
    const first = await take(provider);
    assert.deepEqual(first.omissions, [{ path: 'big', reason: 'too-large', detail: '1001 bytes' }]);
    put('small', 'x'.repeat(2000));
    put('big', 'x');
    for (const changed of [['small', 'big'], undefined]) {
      const { omissions, ref } = await take(provider, changed);
      assert.deepEqual(omissions, [{ path: 'small', reason: 'too-large', detail: '2000 bytes' }]);
      assert.deepEqual([...(await filesInTree(await provider.open(ref))).keys()], ['big']);
    }
    put('small', 'x');
    assert.deepEqual((await take(provider, ['small'])).omissions, []);
  });

  it('does not read 3 GiB to find out that a file is too large', async () => {
    const handle = await open(path.join(workspace, 'huge'), 'w');
    await handle.truncate(3 * 2 ** 30);
    await handle.close();
    provider = await openReal(workspace, storage);
    const { omissions } = await take(provider);
    assert.deepEqual(
      omissions.map(({ path: name, reason }) => [name, reason]),
      [['huge', 'too-large']],
    );
  });

  it('names pipes, sockets, and names that git refuses', async () => {
    put('a', 'a');
    execFileSync('mkfifo', [path.join(workspace, 'pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) =>
      server.listen(path.relative(process.cwd(), path.join(workspace, 'socket')), resolve),
    );
    try {
      put('.GIT/x', 'x');
      provider = await openReal(workspace, storage);
      for (const changed of [undefined, ['pipe', 'socket', '.GIT/x']]) {
        const { omissions, ref } = await take(provider, changed);
        assert.deepEqual(
          omissions.map(({ path: name, reason }) => [name, reason]),
          [
            ['.GIT/x', 'special'],
            ['pipe', 'special'],
            ['socket', 'special'],
          ],
        );
        assert.deepEqual([...(await filesInTree(await provider.open(ref))).keys()], ['a']);
      }
    } finally {
      server.close();
    }
  });

  it('takes one consistent state of each file that changes meanwhile, and names those that never stop', async () => {
    put('calm', 'calm');
    put('busy', 'aaaa');
    put('once', 'first');
    let readings = 0;
    /** Changes files just after they were read, as a program does that writes at the same time. */
    const disturbing: Files = {
      ...nodeFiles,
      async read(name) {
        const bytes = await nodeFiles.read(name);
        if (name.endsWith('/busy')) writeFileSync(name, 'b'.repeat(4 + (readings += 1)));
        if (name.endsWith('/once') && Buffer.from(bytes).toString() === 'first')
          writeFileSync(name, 'second');
        return bytes;
      },
    };
    provider = await openReal(workspace, storage, { files: disturbing });
    await take(provider);
    put('once', 'first');
    const { ref, omissions } = await take(provider, ['busy', 'calm', 'once']);
    assert.deepEqual(
      omissions.map(({ path: name, reason }) => [name, reason]),
      [['busy', 'unstable']],
    );
    const tree = await provider.open(ref);
    assert.equal(Buffer.from(await tree.read('once')).toString(), 'second');
    await assert.rejects(tree.read('busy'), { code: 'not-in-snapshot' });
    assert.ok(readings >= 3, 'it was tried again');
    provider.dispose();
    provider = await openReal(workspace, storage);
    const calm = await take(provider);
    assert.deepEqual(calm.omissions, []);
    assert.deepEqual(
      await filesInTree(await provider.open(calm.ref)),
      new Map([...filesOnDisk(workspace)].sort(([a], [b]) => (a < b ? -1 : 1))),
    );
  });
});
