import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import { nodeExec, nodeStart } from '../../../../src/platform/node/processes/exec.ts';
import type { Exec, Files, Start } from '../../../../src/snapshots/common/ports.ts';
import { failingGit, useGitFaults, withCode } from '../../../support/git/gitFaults.ts';
import { take, userGit } from '../../../support/git/gitWorkspace.ts';

const { signal } = new AbortController();

describe('git snapshots, when git or the disk fails', () => {
  const { at, put, open, namesIn } = useGitFaults();

  describe('opening', () => {
    it("gives the reason if the repository can't be used", async () => {
      const exec = (stderr: string) => failingGit(['rev-parse', '--is-inside-work-tree'], stderr);
      await assert.rejects(open({ exec: exec('fatal: detected dubious ownership in x') }), {
        name: 'UserError',
      });
      const realPath: Files['realPath'] = () => Promise.reject(withCode('EACCES'));
      await assert.rejects(open({ files: { ...nodeFiles, realPath } }), {
        code: 'permission-denied',
      });
    });

    it('does not need a home folder', async () => {
      assert.ok(await open({ home: at('nowhere') }));
    });

    it('uses a store that another process creates at the same moment, and leaves no incomplete one', async () => {
      const rename =
        (isMade: boolean): Files['rename'] =>
        (from, to) => {
          if (!to.endsWith('store.git')) return nodeFiles.rename(from, to);
          if (isMade) cpSync(from, to, { recursive: true });
          return Promise.reject(withCode(isMade ? 'ENOTEMPTY' : 'EIO'));
        };
      await assert.rejects(open({ files: { ...nodeFiles, rename: rename(false) } }), {
        code: 'EIO',
      });
      assert.deepEqual(readdirSync(at('storage/tmp')), []);
      const provider = await open({ files: { ...nodeFiles, rename: rename(true) } });
      assert.deepEqual(await namesIn(provider, (await take(provider)).ref), ['a']);
      assert.deepEqual(readdirSync(at('storage/tmp')), []);
    });
  });

  describe('taking', () => {
    it('refuses an invalid name, and reuses an existing snapshot', async () => {
      const provider = await open();
      const { ref } = await provider.take({ name: 'one', label: '', signal });
      await assert.rejects(
        provider.take({ name: '../x', label: '', signal }),
        /not a valid snapshot name/,
      );
      put('b', 'b');
      const asKept = (...names: string[]) =>
        provider.take({ name: 'two', label: '', signal, reuseIfExists: () => names });
      assert.equal((await asKept('nothing', 'one')).ref, ref);
      assert.deepEqual(await namesIn(provider, (await asKept('nothing')).ref), ['a', 'b']);
    });

    it("does not start over if its state can't be read", async () => {
      let isBroken = false;
      const read: Files['read'] = (file) =>
        isBroken && file.endsWith('state.json')
          ? Promise.reject(withCode('EIO'))
          : nodeFiles.read(file);
      const provider = await open({ files: { ...nodeFiles, read } });
      const { ref } = await take(provider);
      const before = readFileSync(at('storage/state.json'), 'utf8');
      isBroken = true;
      await assert.rejects(take(provider), { code: 'EIO' });
      assert.equal(readFileSync(at('storage/state.json'), 'utf8'), before);
      isBroken = false;
      assert.equal((await take(provider)).ref, ref);
    });

    it("includes files that git can't add, and the rest of the same batch", async () => {
      for (let number = 0; number < 9; number++) put(`f${number}`, `${number}`);
      const exec: Exec = (program, args, options) => {
        const input = Buffer.from(options.input ?? []).toString();
        return args.includes('update-index') && input.includes('f5')
          ? Promise.resolve({ exitCode: 128, stdout: new Uint8Array(), stderr: 'fatal: f5' })
          : nodeExec(program, args, options);
      };
      const provider = await open({ exec });
      const { ref } = await take(provider);
      assert.equal((await namesIn(provider, ref)).length, 10);
      const full = failingGit(['update-index', '--add'], 'No space left on device');
      put('f0', 'changed');
      await assert.rejects(take(await open({ exec: full })), { code: 'disk-full' });
    });

    it("scans everything if reported paths are invalid or git can't be asked about them", async () => {
      let stderr: string | undefined;
      const exec: Exec = async (program, args, options) => {
        const isAsked = args.includes('ls-files') && args.includes('-o') && args.includes('--');
        if (!isAsked || stderr === undefined) return nodeExec(program, args, options);
        const exitCode = stderr.startsWith('fatal') ? 128 : 0;
        return { ...(await nodeExec(program, args, options)), exitCode, stderr };
      };
      const provider = await open({ exec });
      await take(provider);
      let number = 0;
      const isScanned = async (...told: string[]) => {
        put('b', `${number++}`);
        const { ref, isPartial } = await take(provider, told);
        const content = await (await provider.open(ref)).read('b');
        return isPartial !== true && Buffer.from(content).toString() === `${number - 1}`;
      };
      for (const told of ['', '/b', '../b', 'x//b', '\udcff', 'x\uFFFD', '.git'])
        assert.ok(await isScanned(told), told);
      assert.ok(!(await isScanned('a')));
      stderr = "warning: could not open directory 'x/': Permission denied";
      assert.ok(await isScanned('a'));
      stderr = 'fatal: broken';
      assert.ok(await isScanned('a'));
    });

    it('scans everything if reported paths are inaccessible, and fails for a bug', async () => {
      let error: Error | undefined;
      const stat: Files['stat'] = (file) =>
        error && file === at('w/sub/file') ? Promise.reject(error) : nodeFiles.stat(file);
      const provider = await open({ files: { ...nodeFiles, stat } });
      put('sub/file', 'x');
      await take(provider);
      error = withCode('EACCES');
      const { isPartial } = await take(provider, ['sub/file']);
      assert.notEqual(isPartial, true);
      error = new Error('bug');
      await take(provider).catch(() => undefined);
      await assert.rejects(take(provider, ['sub/file']), /bug/);
    });

    it('includes the files of an unreadable nested repository, and lists one with an odd name', async () => {
      put('nested/file', 'kept');
      await userGit(at('w/nested'), 'init', '-q');
      const script = 'odd=$(printf "odd\\377") && mkdir "$odd" && cp -r nested/.git "$odd/.git"';
      assert.equal((await nodeExec('sh', ['-c', script], { cwd: at('w') })).exitCode, 0);
      writeFileSync(at('w/nested/.git/config'), '[broken');
      const provider = await open();
      const { ref, omissions } = await take(provider);
      assert.deepEqual(await namesIn(provider, ref), ['a', 'nested/file']);
      assert.ok(
        omissions.some(({ reason, path: name }) => reason === 'special' && /odd/.test(name)),
      );
    });

    it("fails if a folder can't be listed for now", async () => {
      put('sub/file', 'x');
      let isBroken = true;
      const list: Files['list'] = (place) =>
        isBroken && place === at('w/sub')
          ? Promise.reject(withCode('EMFILE'))
          : nodeFiles.list(place);
      const provider = await open({ files: { ...nodeFiles, list } });
      await assert.rejects(take(provider), { code: 'EMFILE' });
      assert.deepEqual(await provider.list(), []);
      isBroken = false;
      assert.deepEqual(await namesIn(provider, (await take(provider)).ref), ['a', 'sub/file']);
    });

    it('scans everything if the store lost the last snapshot', async () => {
      const provider = await open();
      await take(provider);
      put('b', 'b');
      const state = readFileSync(at('storage/state.json'), 'utf8');
      // As if another process had collected garbage, so that git looks for its packs again.
      const collected = JSON.stringify({ ...(JSON.parse(state) as object), collected: 1 });
      writeFileSync(at('storage/state.json'), collected);
      rmSync(at('storage/store.git/objects/pack'), { recursive: true });
      mkdirSync(at('storage/store.git/objects/pack'));
      const { isPartial, ref } = await take(provider, ['b']);
      assert.notEqual(isPartial, true);
      assert.deepEqual(await namesIn(provider, ref), ['a', 'b']);
    });

    it('lists staged files of a repository with another hash format', async () => {
      mkdirSync(at('w/nested'));
      await userGit(at('w/nested'), 'init', '-q', '--object-format=sha256');
      put('nested/file', 'staged');
      await userGit(at('w/nested'), 'add', '.');
      put('nested/file', 'changed since');
      const provider = await open();
      const { ref, omissions } = await take(provider);
      const tree = await provider.open(ref);
      assert.equal(Buffer.from(await tree.read('nested/file')).toString(), 'changed since');
      assert.ok(omissions.some(({ path: name }) => name.startsWith('nested')));
    });

    it('ignores a broken link to rules, as git does, until its target exists', async () => {
      await userGit(at('w'), 'init', '-q');
      rmSync(at('w/.git/info'), { recursive: true, force: true });
      mkdirSync(at('w/.git/info'));
      symlinkSync(at('rules'), at('w/.git/info/exclude'));
      const provider = await open();
      await take(provider);
      put('b', 'b');
      assert.deepEqual(await namesIn(provider, (await take(provider)).ref), ['a', 'b']);
      writeFileSync(at('rules'), 'b\n');
      assert.deepEqual(await namesIn(provider, (await take(provider)).ref), ['a']);
    });
  });

  describe('reading', () => {
    it('reports missing paths and invalid references', async () => {
      put('sub/file', 'x');
      const provider = await open();
      const { ref } = await take(provider);
      const tree = await provider.open(ref);
      for (const reading of [tree.stat('a/b'), tree.list('a'), tree.read('sub'), tree.read('b')])
        await assert.rejects(reading, { code: 'not-in-snapshot' });
      await assert.rejects(provider.open('nonsense'), { code: 'snapshot-missing' });
      await assert.rejects(provider.repositories!('nonsense'), { code: 'snapshot-missing' });
      assert.equal(await provider.cost(['gone@0000000000000000000000000000000000000000']), 0);
    });

    it('reports an incomplete snapshot, and one of a newer version', async () => {
      const provider = await open();
      const store = at('storage/store.git');
      const { ref } = await take(provider);
      const git = async (...args: string[]) => (await userGit(store, ...args)).trim();
      const record = JSON.parse(await git('show', `${ref.split('@')[1]}:snapshot.json`)) as object;
      const commit = async (entries: Record<string, string>) => {
        let lines = '';
        for (const [name, text] of Object.entries(entries)) {
          writeFileSync(at('blob'), text);
          lines += `100644 blob ${await git('hash-object', '-w', at('blob'))}\t${name}\n`;
        }
        const { stdout } = await nodeExec('git', ['mktree'], {
          cwd: store,
          input: Buffer.from(lines),
        });
        const tree = Buffer.from(stdout).toString().trim();
        return `x@${await git('commit-tree', '-m', 'x', tree)}`;
      };
      const { diff } = { diff: (to: string) => provider.diff(ref, to, signal) };
      await assert.rejects(diff(await commit({})), { code: 'snapshot-missing' });
      const later = JSON.stringify({ ...record, version: 99 });
      const tooNew = await commit({ 'snapshot.json': later, files: 'x' });
      await assert.rejects(diff(tooNew), { code: 'snapshot-too-new' });
      const destination = at('clone');
      const clone = provider.clone({ ref: tooNew, destination, name: 'c', signal });
      await assert.rejects(clone, { code: 'snapshot-too-new' });
      assert.ok(!existsSync(destination));
      await assert.rejects(async () => (await provider.open(await commit({}))).list(''), {
        code: 'snapshot-missing',
      });
    });

    it('starts another git if one ends', async () => {
      let started = 0;
      const start: Start = (...args) => {
        const program = nodeStart(...args);
        started += 1;
        const isDying = started % 2 === 1;
        return {
          write: (bytes) => program.write(bytes),
          read: () => (isDying ? Promise.resolve(undefined) : program.read()),
          dispose: () => program.dispose(),
        };
      };
      const ref = (await take(await open())).ref;
      const provider = await open({ start });
      assert.deepEqual(await namesIn(provider, ref), ['a']);
      assert.ok(started >= 2);
      const never: Start = (...args) => ({
        write: () => undefined,
        read: () => Promise.resolve(undefined),
        dispose: () => nodeStart(...args).dispose(),
      });
      await assert.rejects(namesIn(await open({ start: never }), ref), /cat-file ended/);
    });

    it("gives the reason if ignored paths can't be listed", async () => {
      await userGit(at('w'), 'init', '-q');
      let isBroken = false;
      const exec = failingGit(['ls-files'], 'fatal: broken', () => isBroken);
      const provider = await open({ exec });
      await take(provider);
      isBroken = true;
      await assert.rejects(provider.ignored!(signal), { code: 'git-failed' });
    });
  });
});
