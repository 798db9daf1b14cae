import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_CARRIED } from '../../../src/branching/common/carriedFiles.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { committedRepository, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const MIB = 1024 * 1024;

/** The plan warns of missing files, and of files that refer to the original. */
describe('the plan of a branch', function () {
  this.timeout(120_000);
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);

  const repository = (folder: string) =>
    committedRepository(folder, { '.gitignore': '.venv\nbuild\nnode_modules\n' });

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

  it('lists files that the snapshot lacks, and so does the result', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) {
      writeFileSync(path.join(workspace, name), '');
      truncateSync(path.join(workspace, name), 60 * MIB);
    }
    execFileSync('mkfifo', [path.join(workspace, 'aa pipe')]);
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    const said =
      'The branch lacks files that are not in the snapshot: a.bin (too large), aa pipe (not a regular file), b.bin (too large) and 2 more.';
    assert.ok((await plan()).includes(said), await plan());
    const inPlace = await plan('--in-place');
    assert.match(
      inPlace,
      /Files that are not in the snapshot stay as they are: a\.bin \(too large\)/,
    );
    const made = await make();
    assert.equal(made.stderr.split(said).length, 2, made.stderr);
    assert.ok(!existsSync(path.join(`${workspace}.branches`, 'x/a.bin')));
    const dry = JSON.parse(await out('branch', '--snapshot', '1', '--dry-run', '--json')) as {
      warnings: string[];
    };
    assert.ok(dry.warnings.includes(said));
  });

  it('leaves out folders that contain absolute paths, with a warning', async () => {
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
      assert.equal(said.split('.venv is not copied').length, 2, said);
      assert.equal(said.split('build is not copied').length, 2, said);
      assert.match(said, /env that nobody ignores contains absolute paths/);
      assert.match(said, /copied +node_modules\n/);
    }
    // Links are meant to lead to the original.
    assert.match(await plan('--carry', '.venv', '--link'), /linked +\.venv /);
    const made = await make('--carry', '.venv', 'build');
    assert.equal(made.exitCode, 0, made.stderr);
    for (const name of ['.venv', 'build']) {
      assert.ok(!existsSync(path.join(`${workspace}.branches`, 'x', name)), name);
    }
  });

  it('lists the given patterns without a match, and only those', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    writeFileSync(path.join(workspace, '.gitignore'), '.env*\n');
    mkdirSync(path.join(workspace, 'config'));
    writeFileSync(path.join(workspace, 'config/.env'), '');
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    assert.doesNotMatch(await plan(), /No ignored file matches/);
    const said = await plan('--carry', 'config/.env', 'config/.envrc', 'node_modules');
    assert.match(said, /copied +config\/\.env\n/);
    assert.match(said, /No ignored file matches config\/\.envrc\./);
    assert.match(said, /No ignored file matches node_modules\./);
    assert.equal(said.split('No ignored file matches').length, 3, said);
  });

  it('leaves out such a folder even if the snapshot has some of its files', async () => {
    const workspace = path.join(place.path, 'project');
    await repository(workspace);
    writeFileSync(path.join(workspace, '.gitignore'), 'build/*\n!build/.gitkeep\n');
    mkdirSync(path.join(workspace, 'build'));
    for (const name of ['.gitkeep', 'CMakeCache.txt', 'Makefile']) {
      writeFileSync(path.join(workspace, 'build', name), '');
    }
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    const said = await plan();
    assert.equal(said.split('build is not copied').length, 2, said);
    assert.doesNotMatch(said, /Makefile/);
  });

  describe('of a clone', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('warns of such a folder, and once that it is not a git working tree', async () => {
      await repository(path.join(place.path, 'main'));
      const workspace = disk.current.subvolume('linked');
      await userGit(path.join(place.path, 'main'), 'worktree', 'add', '-q', workspace);
      pythonEnvironment(workspace, '.venv');
      files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
      const bound = '.venv contains absolute paths';
      const alone = 'The branch has the files but is not a git working tree';
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
