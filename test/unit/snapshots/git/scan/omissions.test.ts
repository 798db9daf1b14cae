import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Files } from '../../../../../src/snapshots/common/ports.ts';
import type { Omission, SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { limitOmissions } from '../../../../../src/snapshots/git/scan/omissionList.ts';
import { nodeFiles } from '../../../../../src/platform/node/files/files.ts';
import {
  filesInTree,
  filesOnDisk,
  openReal,
  take,
  userGit,
} from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('git snapshots: omissions', () => {
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

  it('list ignored paths, with a folder for all its content, and count them if there are too many', async () => {
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
      detail: 'and 11 more ignored paths',
    });
    assert.deepEqual(
      [...(await filesInTree(await provider.open(ref))).keys()],
      ['.gitignore', 'logs/kept'],
    );
  });

  it('follow changing rules, except for files that the user forces git to track', async () => {
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

  it('follow rules for all repositories, and for what was just read', async () => {
    const defaultExcludes = path.join(folder.path, 'usual');
    await writeFile(defaultExcludes, '*.one\n');
    // Puts the rules where git looks for them without any setting.
    const before = process.env['XDG_CONFIG_HOME'];
    process.env['XDG_CONFIG_HOME'] = path.join(folder.path, 'config');
    try {
      mkdirSync(path.join(folder.path, 'config/git'), { recursive: true });
      symlinkSync(defaultExcludes, path.join(folder.path, 'config/git/ignore'));
      put('a.one', '1');
      put('a.two', '2');
      provider = await openReal(workspace, storage, { defaultExcludes });
      const names = async () => [
        ...(await filesInTree(await provider!.open((await take(provider!)).ref))).keys(),
      ];
      assert.deepEqual(await names(), ['a.two']);
      await sleep(50);
      // The folder has the same names as before, so the scan does not list it again.
      for (let round = 0; round < 3; round += 1) assert.deepEqual(await names(), ['a.two']);
      await writeFile(defaultExcludes, '*.two\n');
      assert.deepEqual(await names(), ['a.one']);
      put('new', 'x');
      assert.deepEqual(await names(), ['a.one', 'new']);
      put('new', 'changed, and ignored from now on');
      put('.gitignore', 'new\n');
      assert.deepEqual(await names(), ['.gitignore', 'a.one']);
    } finally {
      if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
      else process.env['XDG_CONFIG_HOME'] = before;
    }
  });

  it('exclude ignored files that the user chose to include', async () => {
    put('.gitignore', '.env\nbuilt/\n*.log\n');
    for (const name of ['.env', 'sub/.env', 'built/lib/a.js', 'a.log']) put(name, name);
    const ignored = [['.gitignore'], ['.env', 'a.log', 'built', 'sub']];
    const chosen = [['.env', '.gitignore', 'built/lib/a.js', 'sub/.env'], ['a.log']];
    provider = await openReal(workspace, storage);
    const state = async (changed?: string[]) => {
      const { ref, omissions } = await take(provider!, changed);
      const names = [...(await filesInTree(await provider!.open(ref))).keys()];
      return [names.sort(), omissions.map(({ path: name }) => name)];
    };
    assert.deepEqual(await state(), ignored);
    for (const name of ['.env', 'built'])
      await userGit(workspace, 'config', '--add', 'ah.keepIgnored', name);
    assert.deepEqual(await state(), chosen);
    put('.env', 'other');
    put('a.log', 'other');
    assert.deepEqual(await state(['.env', 'a.log']), chosen);
    assert.equal(await userGit(workspace, 'ls-files', '-o', '--exclude-standard'), '.gitignore\n');
    await userGit(workspace, 'config', '--unset-all', 'ah.keepIgnored');
    assert.deepEqual(await state(), ignored);
  });

  it('list folders that are too deep for any program', async () => {
    put('shallow', 'x');
    const name = 'd'.repeat(250);
    // Creates the folders one by one, because the whole path is too long for one call.
    const script = `for (let i = 0; i < 20; i++) { fs.mkdirSync('${name}'); process.chdir('${name}'); }`;
    execFileSync(process.execPath, ['-e', script], { cwd: workspace });
    try {
      provider = await openReal(workspace, storage);
      const { ref, omissions } = await take(provider);
      assert.deepEqual(
        omissions.map(({ reason }) => reason),
        ['unreadable'],
      );
      assert.equal(
        (await filesInTree(await provider.open(ref))).get('shallow') !== undefined,
        true,
      );
    } finally {
      execFileSync('rm', ['-rf', name], { cwd: workspace });
    }
  });

  it('count more ignored paths than a function can have arguments', () => {
    const ignored = (count: number): Omission[] =>
      Array.from({ length: count }, (_, number) => ({ path: `l/${number}`, reason: 'ignored' }));
    const rest = (omissions: readonly Omission[]) =>
      omissions.find(({ path: name }) => name === '')?.detail;
    const first = limitOmissions(ignored(200_000), 1000);
    assert.equal(rest(first), 'and 199000 more ignored paths');
    const unreadable: Omission = { path: 'u', reason: 'unreadable' };
    const next = limitOmissions([...ignored(200_000), unreadable], 1000);
    assert.equal(rest(next), 'and 199001 more ignored paths');
  });

  it('list the rarest kinds if there are too many', () => {
    const objects = Array.from({ length: 2000 }, (_, number) => `src/${number}.o`);
    const others = ['.env', 'a/node_modules', 'b/node_modules', 'web/.env.local', 'zlib/.env'];
    const omissions = [...objects, ...others].map((path): Omission => ({
      path,
      reason: 'ignored',
    }));
    const named = limitOmissions(omissions, 100).map(({ path: name }) => name);
    assert.equal(named.length, 101, 'and the one that counts the rest');
    assert.deepEqual(
      named,
      [...named]
        .filter((name) => name !== '')
        .sort()
        .concat(''),
    );
    for (const name of others) assert.ok(named.includes(name), name);
  });

  it('list files only while they are too large', async () => {
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

  it("don't require reading 3 GiB to find out that a file is too large", async () => {
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

  it('list pipes, sockets, and names that git refuses', async () => {
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

  it('list files that never stop changing; others are read in one consistent state', async () => {
    put('calm', 'calm');
    put('busy', 'aaaa');
    put('once', 'first');
    let readings = 0;
    /** Changes files just after they were read, like a program that writes at the same time. */
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
