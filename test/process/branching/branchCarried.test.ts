import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { relaunch } from '../../../src/branching/node/memory/agentMemory.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { carryFiles, type CarryMode } from '../../../src/branching/node/carry/carryFiles.ts';
import { TreeCopy } from '../../../src/branching/node/carry/copyTree.ts';
import { FilesInside } from '../../../src/platform/node/files/filesInside.ts';
import { makeBranch } from '../../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../../src/branching/node/plan/planBranch.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { putFiles, userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const MIB = 1024 * 1024;
/** Creates files under temporary names and deletes files, like a compiler. */
const BUILDER = `
  const fs = require('node:fs'), at = (i) => process.argv[1] + '/tmp' + (i % 400);
  for (let i = 0; ; i++) {
    fs.writeFileSync(at(i), 'x');
    fs.renameSync(at(i), at(i) + '.o');
    if (i > 50) fs.rmSync(at(i + 350) + '.o', { force: true });
    if (i === 100) fs.writeSync(1, 'building');
  }`;

/** `.env`, packages and build output are ignored, but a branch needs them. */
describe('ignored files that a branch carries', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let folder = '';
  let files: SessionFiles;

  beforeEach(async () => {
    folder = path.join(place.path, 'prö ject');
    mkdirSync(path.join(folder, 'node_modules/x'), { recursive: true });
    await userGit(folder, 'init', '-q');
    put('.gitignore', 'node_modules\n.env*\nlogs\ndist\n');
    put('.env', 'SECRET=1\n');
    put('.env.local', 'SECRET=2\n');
    put('logs', 'noise\n');
    mkdirSync(path.join(folder, 'packages/ä/dist'), { recursive: true });
    put('packages/ä/dist/out.js', 'built\n');
    put('node_modules/x/index.js', 'one\n');
    chmodSync(path.join(folder, 'node_modules/x/index.js'), 0o755);
    symlinkSync('../x', path.join(folder, 'node_modules/link'));
    const steps = [() => put('a', '1')];
    files = await placeBranchable(sandbox.current, folder, { steps });
  });
  afterEach(() => files.dispose());

  function put(name: string, text: string, where = folder): void {
    writeFileSync(path.join(where, name), text);
  }

  async function planned(carried: readonly string[]): Promise<readonly string[]> {
    const at = { snapshotId: 1n };
    const { signal } = new AbortController();
    const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
    const request = { at, carried, carryMode: 'copy', env: {}, signal } as const;
    return (await planBranch(files, request, { registry, memory: relaunch })).carried;
  }

  async function branch(
    carried: readonly string[],
    carryMode: CarryMode,
    onCarrying: (what: string) => void = () => {},
    signal = new AbortController().signal,
  ): Promise<string> {
    const parts = {
      registry: new BranchRegistry(path.join(sandbox.current.folder, 'branches')),
      memory: relaunch,
    };
    const at = { snapshotId: 1n };
    const plan = await planBranch(files, { at, carried, carryMode, env: {}, signal }, parts);
    const options = { signal, isWaiting: false };
    const { workspace } = await makeBranch(files, plan, parts, {
      ...options,
      onProgress: (step, detail) => step === 'carrying' && onCarrying(detail),
    });
    return workspace;
  }

  it('are copied with their modes and times, but only the configured ones', async () => {
    const said: string[] = [];
    const workspace = await branch(['.env*', 'node_modules', 'packages/*/dist'], 'copy', (what) =>
      said.push(what),
    );
    assert.deepEqual(said, [
      '.env (1 / 4)',
      '.env.local (2 / 4)',
      'node_modules (3 / 4)',
      'packages/ä/dist (4 / 4)',
    ]);
    const at = (name: string) => path.join(workspace, name);
    const read = (name: string) => readFileSync(at(name), 'utf8');
    assert.deepEqual([read('.env'), read('.env.local')], ['SECRET=1\n', 'SECRET=2\n']);
    assert.equal(read('packages/ä/dist/out.js'), 'built\n');
    assert.ok(!existsSync(at('logs')), 'logs are not carried');
    const [copy, original] = [at('node_modules/x/index.js'), `${folder}/node_modules/x/index.js`];
    assert.equal(statSync(copy).mode, statSync(original).mode);
    // To a microsecond.
    assert.ok(Math.abs(statSync(copy).mtimeMs - statSync(original).mtimeMs) < 0.001);
    assert.equal(readlinkSync(at('node_modules/link')), '../x');
    writeFileSync(copy, 'two\n');
    assert.equal(readFileSync(original, 'utf8'), 'one\n');
    assert.equal(await userGit(workspace, 'status', '--porcelain'), '?? .gitignore\n?? a\n');
  });

  it('are links to the original’s files with --link', async () => {
    const workspace = await branch(['.env', 'node_modules'], 'link');
    // This rule matches only folders, not links.
    put('.gitignore', 'node_modules/\n.env*\nlogs\ndist\n', workspace);
    for (const name of ['.env', 'node_modules/x', 'node_modules/link']) {
      assert.equal(readlinkSync(path.join(workspace, name)), path.join(folder, name));
    }
    assert.equal(readFileSync(path.join(workspace, 'node_modules/x/index.js'), 'utf8'), 'one\n');
    assert.equal(await userGit(workspace, 'status', '--porcelain'), '?? .gitignore\n?? a\n');
    assert.ok(!existsSync(path.join(workspace, '.env.local')));
  });

  it('are added to a folder of the branch without replacing files', async () => {
    put('.gitignore', 'build/*\n!build/.gitkeep\n');
    mkdirSync(path.join(folder, 'build/lib'), { recursive: true });
    for (const name of ['.gitkeep', 'app.js', 'b.js', 'lib/c.js']) put(`build/${name}`, 'then\n');
    await files.dispose();
    files = await placeBranchable(sandbox.current, folder, { steps: [() => {}] });
    for (const name of ['.gitkeep', 'app.js']) put(`build/${name}`, 'now\n');
    const said: string[] = [];
    const workspace = await branch(['build'], 'copy', (what) => said.push(what));
    const read = (name: string) => readFileSync(path.join(workspace, 'build', name), 'utf8');
    assert.deepEqual(said, ['build/app.js (1 / 3)', 'build/b.js (2 / 3)', 'build/lib (3 / 3)']);
    assert.deepEqual([read('.gitkeep'), read('app.js')], ['then\n', 'now\n']);
    assert.deepEqual([read('b.js'), read('lib/c.js')], ['then\n', 'then\n']);
  });

  for (const what of ['a repository with one inside', 'a folder with one inside']) {
    it(`are carried among many other ignored files, in ${what}`, async () => {
      if (what.startsWith('a folder')) rmSync(path.join(folder, '.git'), { recursive: true });
      put('.gitignore', 'node_modules\n.env*\n*.o\n');
      mkdirSync(path.join(folder, 'src'));
      put('src/main.c', 'int main;\n');
      // Writes build output beside the sources: more files than a snapshot lists.
      for (let each = 0; each < 1200; each++) put(`src/${each}.o`, 'x');
      mkdirSync(path.join(folder, 'web/node_modules'), { recursive: true });
      for (const name of ['index.html', '.env', 'node_modules/x']) put(`web/${name}`, 'w');
      mkdirSync(path.join(folder, 'inner'));
      await userGit(path.join(folder, 'inner'), 'init', '-q');
      for (const name of ['.env', 'a']) put(`inner/${name}`, 'i');
      put('inner/.gitignore', '.env\n');
      await files.dispose();
      files = await placeBranchable(sandbox.current, folder, { steps: [() => {}] });
      const workspace = await branch(['.env*', 'node_modules', '999.o'], 'copy');
      for (const name of ['web/.env', 'web/node_modules/x', 'inner/.env', 'src/999.o', '.env'])
        assert.ok(existsSync(path.join(workspace, name)), name);
      assert.ok(!existsSync(path.join(workspace, 'src/1.o')));
    });
  }

  it('are found in folders with only ignored files; named paths are found anywhere', async () => {
    put('.gitignore', '.env*\ndist\n/cache/\n*.log\n');
    const outside = path.join(place.path, 'outside');
    const repository = path.join(folder, 'cache/other');
    for (const each of ['config/prod', 'ui/dist', 'cache/x/dist', 'cache/e', 'cache/many'])
      mkdirSync(path.join(folder, each), { recursive: true });
    for (const each of [outside, repository]) mkdirSync(each);
    await userGit(repository, 'init', '-q');
    put('.env', 'elsewhere', outside);
    symlinkSync(outside, path.join(folder, 'cache/way'));
    symlinkSync(outside, path.join(folder, 'link.log'));
    for (const name of ['config/.env', 'config/prod/.env', 'config/a.log', 'ui/dist/x', 'ui/a.log'])
      put(name, '');
    for (const name of ['x/dist/y', 'other/.env', 'e/.env.local', 'e/big.bin'])
      put(`cache/${name}`, '');
    for (let each = 0; each < 1500; each++) put(`cache/many/${each}`, '');
    await files.dispose();
    files = await placeBranchable(sandbox.current, folder, { steps: [() => {}] });
    const own = ['.env', '.env.local', 'packages/ä/dist'];
    const found = ['cache/e/.env.local', 'config/.env', 'config/prod/.env', 'ui/dist'];
    assert.deepEqual(await planned(['.env*', 'dist']), [...own, ...found].sort());
    assert.deepEqual(
      await planned(['config/.env', 'cache/*/*.bin', 'cache/x/dist', 'cache/way/*']),
      ['cache/e/big.bin', 'cache/x/dist', 'config/.env'],
    );
    const many = await planned(['cache/many/*']);
    assert.equal(many.length, 1500, 'named: all of it');
    const workspace = await branch(['config/.env'], 'copy');
    assert.deepEqual(readdirSync(path.join(workspace, 'config')), ['.env']);
  });

  it('are carried while a build changes them', async () => {
    for (let each = 0; each < 2000; each++) put(`packages/ä/dist/${each}.o`, 'x');
    const builder = spawn(process.execPath, ['-e', BUILDER, path.join(folder, 'packages/ä/dist')]);
    try {
      await once(builder.stdout, 'data');
      const workspace = await branch(['dist'], 'copy');
      assert.equal(readFileSync(path.join(workspace, 'packages/ä/dist/1999.o'), 'utf8'), 'x');
    } finally {
      builder.kill();
    }
  });

  it('cause a warning when they vanish during the copy; other errors abort the branch', async () => {
    const [from, to] = [path.join(place.path, 'from'), path.join(place.path, 'to')];
    putFiles(from, { 'logs/one': 'x', 'logs/two': 'x' });
    mkdirSync(to);
    const { signal } = new AbortController();
    const carry = (onCopy: () => void) =>
      carryFiles({ from, to, paths: ['logs'], mode: 'copy', signal, onProgress: onCopy });
    const source = await FilesInside.open(from);
    const target = await FilesInside.open(to);
    const list = source.list.bind(source);
    source.list = async (folder) => {
      const entries = await list(folder);
      rmSync(path.join(from, 'logs/one'));
      return entries;
    };
    const copy = new TreeCopy({ source, target, from, to, signal });
    await copy.copy('logs');
    for (const side of [source, target]) await side.close();
    assert.equal(copy.vanished, 1);
    assert.deepEqual(readdirSync(path.join(to, 'logs')), ['two']);
    rmSync(path.join(to, 'logs'), { recursive: true });
    await assert.rejects(
      carry(() => rmSync(to, { recursive: true, force: true })),
      { code: 'carry-failed', message: /^Can't copy logs into the branch: ENOENT/ },
    );
  });

  it('keep their times, permissions, links between them and special names', async () => {
    const [from, to] = [path.join(place.path, 'from'), path.join(place.path, 'to')];
    putFiles(from, { 'modules/a/tool': 'x', 'modules/b/other': 'y' });
    const at = (name: string) => path.join(from, 'modules', name);
    linkSync(at('a/tool'), at('b/same'));
    symlinkSync('../a/tool', at('b/link'));
    const odd = Buffer.concat([Buffer.from(`${at('b')}/`), Buffer.from([0x66, 0xff])]);
    writeFileSync(odd, 'odd');
    execFileSync('mkfifo', [at('b/pipe')]);
    chmodSync(at('a/tool'), 0o751);
    utimesSync(at('a/tool'), 1000, 2000);
    chmodSync(at('b'), 0o550);
    utimesSync(at('b'), 1000, 3000);
    mkdirSync(to);
    const { signal } = new AbortController();
    const { warnings } = await carryFiles({ from, to, paths: ['modules'], mode: 'copy', signal });
    assert.deepEqual(warnings, [
      'Pipes, sockets and devices of modules were not copied into the branch: 1.',
    ]);
    const facts = (root: string, name: string) => {
      const { mode, mtimeMs, nlink, size } = lstatSync(path.join(root, 'modules', name));
      return { mode, mtimeMs: mtimeMs.toFixed(1), nlink, size };
    };
    for (const name of ['a', 'a/tool', 'b', 'b/same', 'b/link', 'b/other'])
      assert.deepEqual(facts(to, name), facts(from, name), name);
    const names = readdirSync(path.join(to, 'modules/b'), { encoding: 'buffer' });
    assert.ok(names.some((name) => name.equals(Buffer.from([0x66, 0xff]))));
  });

  it('are none if none are configured or the original no longer has them', async () => {
    assert.ok(!existsSync(path.join(await branch([], 'copy'), '.env')));
    execFileSync('rm', ['-rf', path.join(folder, 'node_modules')]);
    assert.ok(!existsSync(path.join(await branch(['node_modules'], 'copy'), 'node_modules')));
  });

  it('leave nothing behind when the copy is cancelled', async () => {
    const stop = new AbortController();
    const making = branch(
      ['.env*', 'node_modules'],
      'copy',
      (what) => what.startsWith('node_modules') && stop.abort(),
      stop.signal,
    );
    await assert.rejects(making, { code: 'cancelled' });
    assert.ok(!existsSync(path.join(`${folder}.branches`, 'step-1')));
    assert.ok(!existsSync(path.join(folder, '.git/worktrees')));
  });

  it('are never outside of the workspace', async () => {
    const outside = path.join(place.path, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'secret'), 'x');
    const [from, to] = [path.join(place.path, 'from'), path.join(place.path, 'to')];
    for (const each of [from, to]) mkdirSync(each);
    symlinkSync(outside, path.join(from, 'way'));
    mkdirSync(path.join(from, 'real'));
    writeFileSync(path.join(from, 'real/file'), 'x');
    symlinkSync(outside, path.join(to, 'real'));
    const { signal } = new AbortController();
    const paths = ['way/secret', 'real/file'];
    const { carried } = await carryFiles({ from, to, paths, mode: 'copy', signal });
    assert.deepEqual(carried, []);
    assert.ok(!existsSync(path.join(outside, 'file')));
  });

  describe('on a disk that shares blocks', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('share their blocks with the original’s', async () => {
      const [from, to] = ['from', 'to'].map((name) => disk.current.folderOf(name)) as [
        string,
        string,
      ];
      mkdirSync(path.join(from, 'node_modules'), { recursive: true });
      mkdirSync(to, { recursive: true });
      const big = Buffer.alloc(32 * MIB, 'some block ');
      writeFileSync(path.join(from, 'node_modules/big'), big);
      const { signal } = new AbortController();
      await carryFiles({ from, to, paths: ['node_modules'], mode: 'copy', signal });
      assert.ok(lstatSync(path.join(to, 'node_modules/big')).isFile());
      execFileSync('btrfs', ['filesystem', 'sync', to]);
      const args = ['filesystem', 'du', '--summarize', '--raw', to];
      const [, line = ''] = execFileSync('btrfs', args).toString().split('\n');
      const [total, exclusive] = line.trim().split(/\s+/).map(Number);
      assert.deepEqual([total, exclusive], [32 * MIB, 0]);
    });
  });
});
