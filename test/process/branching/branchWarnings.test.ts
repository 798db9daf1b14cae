import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_CARRIED } from '../../../src/branching/common/carriedFiles.ts';
import type { SessionFiles } from '../../../src/sessions/node/sessionFiles.ts';
import { placeBranchable } from '../../support/branchableSession.ts';
import { userGit } from '../../support/gitWorkspace.ts';
import { sessionCommands } from '../../support/sessionCommands.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const MIB = 1024 * 1024;

/** Whatever a branch lacks, or has that leads back to the original, is said before it is made. */
describe('the plan of a branch', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let files: SessionFiles;
  const { ah, out } = sessionCommands(() => ({
    ...{ sandbox: sandbox.current, files, cwd: place.path },
  }));
  afterEach(() => files.dispose());

  async function repository(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await userGit(folder, 'init', '-q');
    await userGit(folder, 'config', 'user.email', 'a@example.com');
    await userGit(folder, 'config', 'user.name', 'A');
    writeFileSync(path.join(folder, '.gitignore'), '.venv\nbuild\nnode_modules\n');
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', 'first');
  }

  function pythonEnvironment(workspace: string, name: string): void {
    const bin = path.join(workspace, name, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(workspace, name, 'pyvenv.cfg'), 'home = /usr/bin\n');
    writeFileSync(path.join(bin, 'pip'), `#!${bin}/python\n`, { mode: 0o755 });
  }

  const plan = async (...more: string[]) =>
    (await ah('branch', '--snapshot', '1', '--name', 'x', '--dry-run', ...more)).stderr;
  const make = (...more: string[]) =>
    ah('branch', '--snapshot', '1', '--name', 'x', '--no-launch', ...more);

  it('names files that the snapshot does not have, and so does what is made', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) {
      writeFileSync(path.join(workspace, name), '');
      truncateSync(path.join(workspace, name), 60 * MIB);
    }
    execFileSync('mkfifo', [path.join(workspace, 'aa pipe')]);
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    const said =
      'The branch lacks what the snapshot does not have: a.bin (too large), aa pipe (no ordinary file), b.bin (too large) and 2 more.';
    assert.ok((await plan()).includes(said), await plan());
    const inPlace = await plan('--in-place');
    assert.match(inPlace, /What the snapshot does not have stays as it is: a\.bin \(too large\)/);
    const made = await make();
    assert.equal(made.stderr.split(said).length, 2, made.stderr);
    assert.ok(!existsSync(path.join(`${workspace}.branches`, 'x/a.bin')));
    const dry = JSON.parse(await out('branch', '--snapshot', '1', '--dry-run', '--json')) as {
      warnings: string[];
    };
    assert.ok(dry.warnings.includes(said));
  });

  it('leaves out folders that have their own place written into them, and says so', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    pythonEnvironment(workspace, '.venv');
    pythonEnvironment(workspace, 'env that nobody ignores');
    mkdirSync(path.join(workspace, 'build'));
    writeFileSync(path.join(workspace, 'build/CMakeCache.txt'), '');
    mkdirSync(path.join(workspace, 'node_modules'));
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    for (const carry of [[], ['--carry', ...DEFAULT_CARRIED, '.venv']]) {
      const said = await plan(...carry);
      assert.equal(said.split('.venv is not brought along').length, 2, said);
      assert.equal(said.split('build is not brought along').length, 2, said);
      assert.match(said, /env that nobody ignores has its place in the original written into it/);
      assert.match(said, /brought along +node_modules\n/);
    }
    // Links say that they are the original's own.
    assert.match(await plan('--carry', '.venv', '--link'), /linked +\.venv /);
    const made = await make('--carry', '.venv', 'build');
    assert.equal(made.exitCode, 0, made.stderr);
    for (const name of ['.venv', 'build']) {
      assert.ok(!existsSync(path.join(`${workspace}.branches`, 'x', name)), name);
    }
  });

  it('says which of the names that were given fit nothing, and only of those', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    writeFileSync(path.join(workspace, '.gitignore'), '.env*\n');
    mkdirSync(path.join(workspace, 'config'));
    writeFileSync(path.join(workspace, 'config/.env'), '');
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    assert.doesNotMatch(await plan(), /Nothing that is ignored/);
    const said = await plan('--carry', 'config/.env', 'config/.envrc', 'node_modules');
    assert.match(said, /brought along +config\/\.env\n/);
    assert.match(said, /Nothing that is ignored is called config\/\.envrc: nothing is brought/);
    assert.match(said, /Nothing that is ignored is called node_modules: nothing is brought/);
    assert.equal(said.split('Nothing that is ignored').length, 3, said);
  });

  it('leaves out what is in such a folder, though something else of it is in the snapshot', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    writeFileSync(path.join(workspace, '.gitignore'), 'build/*\n!build/.gitkeep\n');
    mkdirSync(path.join(workspace, 'build'));
    for (const name of ['.gitkeep', 'CMakeCache.txt', 'Makefile']) {
      writeFileSync(path.join(workspace, 'build', name), '');
    }
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    const said = await plan();
    assert.equal(said.split('build is not brought along').length, 2, said);
    assert.doesNotMatch(said, /Makefile/);
  });

  describe('of a clone', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('says that it has such a folder, and once that it is no working tree', async () => {
      await repository(path.join(place.path, 'main'));
      const workspace = disk.current.subvolume('linked');
      await userGit(path.join(place.path, 'main'), 'worktree', 'add', '-q', workspace);
      pythonEnvironment(workspace, '.venv');
      files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
      const bound = '.venv has its place in the original written into it';
      const alone = 'The branch has the files, but is no git working tree';
      const dry = await plan();
      const made = await make();
      assert.equal(made.exitCode, 0, made.stderr);
      for (const said of [dry, made.stderr]) {
        assert.equal(said.split(bound).length, 2, said);
        assert.equal(said.split(alone).length, 2, said);
      }
      assert.ok(!existsSync(path.join(`${workspace}.branches`, 'x/.git')));
    });
  });
});
