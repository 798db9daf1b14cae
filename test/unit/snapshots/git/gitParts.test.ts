import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import { nodeExec } from '../../../../src/platform/node/processes/exec.ts';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import { IndexCursor } from '../../../../src/snapshots/git/index/indexFile.ts';
import { convertedPaths } from '../../../../src/snapshots/git/index/conversions.ts';
import { explainFailure } from '../../../../src/snapshots/git/gitCommand.ts';
import { DEFAULT_LIMITS } from '../../../../src/snapshots/git/gitPorts.ts';
import { operationOf } from '../../../../src/snapshots/git/worktree/operationState.ts';
import type { UserRepository } from '../../../../src/snapshots/git/worktree/repository.ts';
import { readStable } from '../../../../src/snapshots/git/scan/stableRead.ts';
import { acquireLock } from '../../../../src/snapshots/git/storageLock.ts';
import { parseTree } from '../../../../src/snapshots/git/objects/treeFormat.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { useGitFaults, withCode } from '../../../support/git/gitFaults.ts';
import { realPorts, take, userGit } from '../../../support/git/gitWorkspace.ts';

const { signal } = new AbortController();

describe('git snapshots: single parts in unusual situations', () => {
  const { at, put, open, namesIn } = useGitFaults();

  describe('reading a file', () => {
    const reading = (files: Partial<Files>, name = 'w/a') =>
      readStable(
        { ...realPorts(), scratch: '', files: { ...nodeFiles, ...files } },
        at(name),
        DEFAULT_LIMITS,
      );
    const failing = (...codes: string[]): Files['read'] => {
      return (file) => {
        const code = codes.shift();
        return code === undefined ? nodeFiles.read(file) : Promise.reject(withCode(code));
      };
    };

    it('distinguishes missing from unreadable files, and retries replaced ones', async () => {
      for (const code of ['ENOENT', 'ENOTDIR'])
        assert.deepEqual(await reading({ read: failing(code) }), { kind: 'gone' });
      for (const detail of ['EACCES', 'EIO']) {
        const omitted = { kind: 'omitted', reason: 'unreadable', detail };
        assert.deepEqual(await reading({ read: failing(detail) }), omitted);
      }
      assert.equal((await reading({ read: failing('EISDIR', 'ELOOP') })).kind, 'content');
      const never = failing(...Array.from({ length: 9 }, () => 'EISDIR'));
      assert.equal((await reading({ read: never })).kind, 'omitted');
      await assert.rejects(reading({ read: failing('EMFILE') }), { code: 'EMFILE' });
    });

    it('skips folders and pipes', async () => {
      assert.deepEqual(await reading({}, 'w'), { kind: 'folder' });
      await nodeExec('mkfifo', [at('w/pipe')], { cwd: '/' });
      assert.deepEqual(await reading({}, 'w/pipe'), { kind: 'omitted', reason: 'special' });
    });
  });

  describe('the lock', () => {
    const storage = () => at('locks');
    beforeEach(() => mkdirSync(storage()));

    function ports(files: Partial<Files> = {}, clock = new FakeClock()) {
      return { ...realPorts(), scratch: storage(), files: { ...nodeFiles, ...files }, clock };
    }

    it('is waited for a limited time', async () => {
      const held = await acquireLock(realPorts(), storage());
      const clock = new FakeClock();
      const waiting = acquireLock(ports({}, clock), storage()).catch((error: unknown) => error);
      let outcome: unknown;
      void waiting.then((result) => (outcome = result));
      while (outcome === undefined) await clock.advance(10_000);
      assert.equal((outcome as { code?: string }).code, 'storage-busy');
      await held.release();
    });

    it('is not taken by a process whose check is outdated', async () => {
      symlinkSync('dead', path.join(storage(), 'lock.3'));
      let isFirst = true;
      const link: Files['link'] = async (target, file) => {
        await nodeFiles.link(target, file);
        if (!file.endsWith('lock.4') || !isFirst) return;
        isFirst = false;
        await nodeFiles.link('others', path.join(storage(), 'lock.6'));
        await nodeFiles.link('free', path.join(storage(), 'lock.7'));
      };
      const slow = { ...ports({ link }), clock: realPorts().clock };
      slow.processes = { own: 'slow', isAlive: () => Promise.resolve(false) };
      const held = await acquireLock(slow, storage());
      const names = readdirSync(storage()).filter((name) => name.startsWith('lock.'));
      assert.ok(!names.includes('lock.4'), 'what it took too late is given back');
      assert.ok(names.includes('lock.8'), names.join());
      await held.release();
    });

    it('is looked for again if it vanishes at that moment; other errors are thrown', async () => {
      symlinkSync('dead', path.join(storage(), 'lock.3'));
      let failures = ['ENOENT'];
      const readLink: Files['readLink'] = (file) => {
        const code = failures.pop();
        return code === undefined ? nodeFiles.readLink(file) : Promise.reject(withCode(code));
      };
      const real = () => ({
        ...ports({ readLink }),
        clock: realPorts().clock,
        processes: { own: 'me', isAlive: () => Promise.resolve(false) },
      });
      const held = await acquireLock(real(), storage());
      assert.equal(held.isAfterCrash, true);
      await held.release();
      failures = ['EIO'];
      await assert.rejects(acquireLock(real(), storage()), { code: 'EIO' });
    });

    it("leaves nothing if it can't be created", async () => {
      const link: Files['link'] = () => Promise.reject(withCode('ENOSPC'));
      await assert.rejects(acquireLock(ports({ link }), storage()), { code: 'ENOSPC' });
      assert.deepEqual(readdirSync(storage()), []);
    });

    it('of a killed process is followed by a cleanup that keeps its indexes', async () => {
      const first = await open();
      const { ref } = await take(first);
      const [generation] = readdirSync(at('storage/indexes'));
      writeFileSync(at(`storage/indexes/${generation}/half.lock`), 'half');
      writeFileSync(at('storage/state.json.tmp'), 'half');
      symlinkSync('99999999-0-0', at('storage/lock.99'));
      const remove: Files['remove'] = async (file) => {
        if (file.endsWith('.tmp')) await nodeFiles.remove(file);
        return nodeFiles.remove(file);
      };
      const provider = await open({ files: { ...nodeFiles, remove } });
      put('b', 'b');
      assert.deepEqual(await namesIn(provider, (await take(provider)).ref), ['a', 'b']);
      assert.deepEqual(await namesIn(provider, ref), ['a']);
      const [next] = readdirSync(at('storage/indexes'));
      assert.notEqual(next, generation);
      assert.ok(!readdirSync(at(`storage/indexes/${next}`)).includes('half.lock'));
      assert.ok(!readdirSync(at('storage')).includes('state.json.tmp'));
    });
  });

  it('a snapshot of a version without permissions is read, compared and cloned', async () => {
    const provider = await open();
    put('sub/run.sh', '#!/bin/sh\n');
    await nodeExec('chmod', ['755', at('w/sub/run.sh')], { cwd: '/' });
    const { ref } = await take(provider);
    const store = at('storage/store.git');
    const git = async (...args: string[]) => (await userGit(store, ...args)).trim();
    const commit = ref.split('@')[1]!;
    const record = JSON.parse(await git('show', `${commit}:snapshot.json`)) as object;
    writeFileSync(at('record'), JSON.stringify({ ...record, modes: undefined }));
    const blob = await git('hash-object', '-w', at('record'));
    const lines = (await git('ls-tree', commit)).split('\n').map((line) => {
      return line.endsWith('\tsnapshot.json') ? `100644 blob ${blob}\tsnapshot.json` : line;
    });
    const input = Buffer.from(`${lines.join('\n')}\n`);
    const { stdout } = await nodeExec('git', ['mktree'], { cwd: store, input });
    const tree = Buffer.from(stdout).toString().trim();
    const old = `old@${await git('commit-tree', '-m', '{}', tree)}`;
    const opened = await provider.open(old);
    assert.equal((await opened.stat('sub/run.sh')).isExecutable, true);
    assert.equal((await opened.stat('sub/run.sh')).mode, undefined);
    assert.equal(await opened.identity!('sub'), await opened.identity!('sub'));
    assert.deepEqual(await provider.diff(old, ref, signal), []);
    put('sub/run.sh', '#!/bin/bash\n');
    const next = await take(provider);
    assert.deepEqual(await provider.diff(old, next.ref, signal), [
      { path: 'sub/run.sh', kind: 'modified' },
    ]);
    const destination = at('clone');
    const { workspace } = await provider.clone({ ref: old, destination, name: 'c', signal });
    assert.deepEqual(readdirSync(path.join(workspace, 'sub')), ['run.sh']);
    await provider.removeClone(destination);
  });

  it('an operation is recognized by its files', () => {
    assert.equal(operationOf(['rebase-apply/applying']), 'am');
    assert.equal(operationOf(['rebase-apply/next']), 'rebase');
    assert.equal(operationOf(['REVERT_HEAD']), 'revert');
  });

  it('a damaged tree or index is refused', () => {
    const whole = Buffer.concat([Buffer.from('100644 a\0'), Buffer.alloc(20)]);
    assert.equal(parseTree(whole, 20).size, 1);
    for (let length = 1; length < whole.length; length++)
      assert.throws(() => parseTree(whole.subarray(0, length), 20), /damaged/);
    const index = Buffer.alloc(12 + 62 + 2 + 20);
    index.write('DIRC');
    index.writeUInt32BE(4, 4);
    index.writeUInt32BE(1, 8);
    // Claims that the path shares all but five letters with the previous path, which is empty.
    index[12 + 62] = 5;
    assert.throws(() => IndexCursor.open(index, 20)!.next(), RangeError);
  });

  it("paths count as converted if git can't tell", async () => {
    const answering = (exitCode: number, text: string) =>
      ({
        run: () => Promise.resolve({ exitCode, stdout: Buffer.from(text), stderr: '' }),
      }) as unknown as UserRepository;
    const ask = (repository: UserRepository) => convertedPaths(repository, '/', ['a', 'b'], signal);
    assert.deepEqual(await ask(answering(128, '')), ['a', 'b']);
    assert.deepEqual(await ask(answering(0, 'a\0text\0unset\0')), ['a', 'b']);
  });

  it('failures are explained; bugs stay bugs', () => {
    const bug = new Error('bug');
    assert.equal(explainFailure(bug), bug);
    for (const code of ['EACCES', 'EPERM', 'EROFS'])
      assert.equal((explainFailure(withCode(code)) as { code: string }).code, 'permission-denied');
  });

  it('unreadable folders cause a full scan', async () => {
    let code: string | undefined;
    const list: Files['list'] = (folder) =>
      code !== undefined && folder === at('w/sub')
        ? Promise.reject(withCode(code))
        : nodeFiles.list(folder);
    const provider = await open({ files: { ...nodeFiles, list } });
    put('sub/one', '1');
    put('sub/two', '2');
    await take(provider);
    put('sub/two', 'changed');
    code = 'EACCES';
    assert.notEqual((await take(provider, ['sub'])).isPartial, true);
    code = undefined;
    await take(provider);
    await nodeFiles.remove(at('w/sub/one'));
    code = 'EACCES';
    assert.notEqual((await take(provider, ['sub/one'])).isPartial, true);
    code = 'ENOENT';
    put('sub/two', 'changed again');
    const { ref } = await take(provider, ['sub', 'sub/two']);
    const tree = await provider.open(ref);
    assert.equal(Buffer.from(await tree.read('sub/two')).toString(), 'changed again');
  });

  it('too many folders cause a full scan', async () => {
    const provider = await open();
    for (let number = 0; number < 205; number++) put(`many/f${number}/x`, 'x');
    await take(provider);
    put('many/f7/x', 'changed');
    const { isPartial, ref } = await take(provider, ['many']);
    assert.notEqual(isPartial, true);
    const tree = await provider.open(ref);
    assert.equal(Buffer.from(await tree.read('many/f7/x')).toString(), 'changed');
    const names = Array.from({ length: 205 }, (_, number) => `many/f${number}/x`);
    await Promise.all(names.map((name) => nodeFiles.remove(at(`w/${name}`))));
    assert.notEqual((await take(provider, names)).isPartial, true);
  });

  it("reported changes of a repository's own files are not changes of the workspace", async () => {
    await userGit(at('w'), 'init', '-q');
    // Without this wait, the settings are too new to be trusted, which causes a full scan.
    await sleep(50);
    const provider = await open();
    await take(provider);
    put('a', 'changed');
    const { isPartial, ref } = await take(provider, ['.git/HEAD', 'a']);
    assert.equal(isPartial, true);
    const tree = await provider.open(ref);
    assert.equal(Buffer.from(await tree.read('a')).toString(), 'changed');
    put('nested/file', 'x');
    await userGit(at('w/nested'), 'init', '-q');
    await take(provider);
    put('nested/file', 'changed');
    const next = await take(provider, ['nested']);
    const nested = await (await provider.open(next.ref)).read('nested/file');
    assert.equal(Buffer.from(nested).toString(), 'changed');
  });
});
