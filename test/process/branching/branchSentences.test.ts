import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { readSnapshots } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { treeOf } from '../../agents/originals.ts';
import { cliFile, collect, until } from '../../support/ah.ts';
import {
  placeBranchable,
  type BranchableOptions,
} from '../../support/branching/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

/**
 * An impossible branch is refused with a sentence and leaves nothing behind; others have a warning.
 */
describe('a branch with something missing', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let workspace = '';
  let files: SessionFiles | undefined;

  beforeEach(() => mkdirSync(path.join(place.path, 'home')));
  afterEach(async () => {
    await files?.dispose();
    files = undefined;
  });

  async function session(more: Partial<BranchableOptions> = {}): Promise<void> {
    workspace = path.join(place.path, 'prö ject');
    mkdirSync(workspace, { recursive: true });
    await userGit(workspace, 'init', '-q');
    const steps = ['one', 'two', 'three'].map(
      (text) => () => writeFileSync(path.join(workspace, 'b.txt'), `${text}\n`),
    );
    files = await placeBranchable(sandbox.current, workspace, { steps, ...more });
  }

  function ah(...args: string[]) {
    const env = {
      ...sandbox.current.env,
      AH_SESSION_ID: files!.session.meta.id,
      HOME: path.join(place.path, 'home'),
    };
    const all = [cliFile, 'agent', 'branch', ...args, '--no-launch'];
    const child = spawn(process.execPath, all, { env, stdio: 'pipe' });
    child.stdin.end();
    return collect(child);
  }

  async function refuses(sentence: RegExp, ...args: string[]): Promise<void> {
    const before = { files: filesOnDisk(workspace), home: treeOf(path.join(place.path, 'home')) };
    const { exitCode, stderr } = await ah(...args);
    assert.notEqual(exitCode, 0);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /Internal error/);
    assert.deepEqual(filesOnDisk(workspace), before.files);
    assert.deepEqual(treeOf(path.join(place.path, 'home')), before.home);
    assert.ok(!existsSync(`${workspace}.branches/x`));
    const branches = path.join(sandbox.current.folder, 'branches');
    assert.deepEqual(existsSync(branches) ? readdirSync(branches) : [], []);
  }

  /** The file of the store that holds this content. */
  async function objectOf(content: string): Promise<string> {
    writeFileSync(path.join(place.path, 'content'), content);
    const oid = (await userGit(workspace, 'hash-object', path.join(place.path, 'content'))).trim();
    const snapshots = path.join(sandbox.current.folder, 'snapshots');
    const [key = ''] = readdirSync(snapshots);
    const objects = path.join(snapshots, key, 'store.git/objects');
    unpack(objects);
    return path.join(objects, oid.slice(0, 2), oid.slice(2));
  }

  /** Gives each object a file of its own, as older versions did. */
  function unpack(objects: string): void {
    const packs = path.join(place.path, 'packs');
    renameSync(path.join(objects, 'pack'), packs);
    mkdirSync(path.join(objects, 'pack'));
    for (const name of readdirSync(packs).filter((each) => each.endsWith('.pack'))) {
      const input = readFileSync(path.join(packs, name));
      execFileSync('git', ['--git-dir', path.dirname(objects), 'unpack-objects', '-q'], { input });
    }
  }

  for (const [what, damage] of [
    ['gone', (file: string) => rmSync(file)],
    [
      'damaged',
      (file: string) => {
        chmodSync(file, 0o600);
        writeFileSync(file, readFileSync(file).subarray(0, 10));
      },
    ],
  ] as const) {
    it(`names the nearest usable snapshot when a part of its own is ${what}`, async () => {
      await session();
      damage(await objectOf('two\n'));
      const sentence = /of snapshot 2 are damaged.* The nearest usable snapshot is 1, “step 1”/;
      await refuses(sentence, '--snapshot', '2', '--name', 'x');
      const { exitCode, stderr } = await ah('--snapshot', '1', '--name', 'x');
      assert.equal(exitCode, 0, stderr);
      assert.equal(readFileSync(`${workspace}.branches/x/b.txt`, 'utf8'), 'one\n');
    });
  }

  for (const agent of ['claudeCode', 'codex', 'gemini', 'opencode', 'copilot']) {
    it(`has a warning when the transcript of ${agent} is missing`, async () => {
      await session({ agent, cmd: [process.execPath] });
      const plan = () => ah('--snapshot', '1', '--message', 'Go on.', '--name', 'x', '--dry-run');
      const resumed = await plan();
      assert.equal(resumed.exitCode, 0, resumed.stderr);
      assert.match(resumed.stderr, /memory +resume: the agent continues with a copy of its memory/);
      rmSync(path.join(files!.session.folder, 'agent'), { recursive: true });
      const { stderr } = await plan();
      assert.match(
        stderr,
        /memory +replay: the agent starts a new conversation without its memory/,
      );
      assert.match(stderr, /ah: .* can't resume the session: .* details may be missing/);
    });
  }

  it('is refused when its agent is no longer installed', async () => {
    await session({ agent: 'codex', cmd: ['/opt/gone/codex'] });
    const sentence =
      /codex.*(?:no longer installed|not installed|not found|cannot be found|is not there)/i;
    await refuses(sentence, '--snapshot', '1', '--message', 'Go on.', '--name', 'x');
  });

  it('is refused when its program no longer exists', async () => {
    await session({ cmd: ['/opt/gone/mytool', '--fast'] });
    const sentence = /the program is no longer installed: Can't find the command "\/opt\/gone/;
    await refuses(sentence, '--snapshot', '1', '--name', 'x', '--dry-run');
    await refuses(sentence, '--snapshot', '1', '--name', 'x');
  });

  it('has a warning when its program is not in the snapshot', async () => {
    const program = path.join(place.path, 'prö ject', 'tools/run.sh');
    const put = () => {
      mkdirSync(path.dirname(program), { recursive: true });
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    };
    await session({ cmd: [program], steps: [() => {}, put] });
    const said = /The branch does not have its program tools\/run\.sh/;
    assert.match((await ah('--snapshot', '1', '--name', 'x', '--dry-run')).stderr, said);
    const there = await ah('--snapshot', '2', '--name', 'x', '--dry-run');
    assert.equal(there.exitCode, 0, there.stderr);
    assert.doesNotMatch(there.stderr, said);
  });

  it('is created with a warning when the original session can’t list it', async () => {
    await session();
    mkdirSync(path.join(files!.session.folder, 'session.events.jsonl'));
    const { exitCode, stderr } = await ah('--snapshot', '1', '--name', 'x');
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /Can't add the branch to the original session/);
    assert.match(stderr, /Created “x” in /);
    assert.equal(readFileSync(`${workspace}.branches/x/b.txt`, 'utf8'), 'one\n');
  });

  it('is created with a warning when the agent’s transcript is missing', async () => {
    await session({ agent: 'codex', cmd: [process.execPath] });
    rmSync(path.join(files!.session.folder, 'agent'), { recursive: true });
    const { exitCode, stderr } = await ah('--snapshot', '1', '--message', 'Go on.', '--name', 'x');
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /memory +replay: the agent starts a new conversation without its memory/);
    assert.match(stderr, /Codex can't resume the session/);
    assert.deepEqual(treeOf(path.join(place.path, 'home')), {});
  });

  it('starts at the last snapshot when the recorder was killed', async () => {
    workspace = path.join(place.path, 'prö ject');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const cmd = ['/bin/sleep', '60'];
    const { id, folder } = await sandbox.current.launch(cmd, { workspace, cwd: workspace });
    const isKept = async () =>
      (await readSnapshots(folder)).some((line) => line.files.state === 'kept');
    await until(isKept, 'a snapshot');
    await sandbox.current.killRecorders();
    files = await SessionFiles.open(await sandbox.current.catalogue.get(id));
    const { exitCode, stderr } = await ah('--at', 'now', '--name', 'x');
    assert.equal(exitCode, 0, stderr);
    // A branch whose recorder is killed is interrupted as well.
    void sandbox.current.start('agent', 'branch', 'start', 'x');
    const states = async () => (await sandbox.current.run('agent', 'branches')).stdout.toString();
    await until(async () => /^x +running/m.test(await states()), 'the branch to run');
    await sandbox.current.killRecorders();
    assert.match(await states(), /^x +interrupted/m);
  });

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 256 });

    it('uses the nearest snapshot when its own is missing, and says so', async () => {
      workspace = disk.current.subvolume('project');
      const steps = ['one', 'two'].map(
        (text) => () => writeFileSync(path.join(workspace, 'b.txt'), `${text}\n`),
      );
      files = await placeBranchable(sandbox.current, workspace, { steps });
      await (await files.provider()).remove([files.kept(2n).ref]);
      await refuses(/nearest usable snapshot is 1/, '--snapshot', '2', '--name', 'x');
      const { exitCode, stderr } = await ah('--at', '@250', '--name', 'x');
      assert.equal(exitCode, 0, stderr);
      assert.match(stderr, /Can't use snapshot 2: .* The nearest usable snapshot is 1/);
      assert.equal(readFileSync(`${workspace}.branches/x/b.txt`, 'utf8'), 'one\n');
    });
  });
});
