import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { SnapshotsFile } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { committedRepository, filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

describe('branches on the command line', function () {
  this.timeout(120_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);

  const write = (name: string, text: string) => writeFileSync(path.join(workspace, name), text);
  const read = (name: string) => readFileSync(path.join(workspace, name), 'utf8');

  beforeEach(async () => {
    workspace = path.join(place.path, 'my pröject');
    await committedRepository(workspace, { 'a.txt': '1\n2\n3\n4\n5\n' });
    files = await placeBranchable(sandbox.current, workspace, {
      cmd: ['/bin/sh', '-c', 'echo "here: $PWD, told: $AH_BRANCH_MESSAGE" | tee said'],
      steps: [
        () => write('b.txt', 'one\n'),
        () => write('b.txt', 'two\n'),
        () => write('c', 'c\n'),
      ],
    });
  });

  it('create a branch at a moment, start it, and list it in both sessions', async () => {
    const made = await json('branch', '--at', '@250', '--name', 'näch ste', '--message', 'do "it"');
    assert.deepEqual(
      [made['name'], made['kind'], made['method'], made['snapshot'], made['fromByte']],
      ['näch ste', 'worktree', 'replay', 2, 250],
    );
    const folder = path.join(`${workspace}.branches`, 'näch ste');
    assert.equal(made['workspace'], folder);
    await sandbox.current.settled();
    assert.equal(readFileSync(path.join(folder, 'b.txt'), 'utf8'), 'two\n');
    assert.ok(!existsSync(path.join(folder, 'c')));
    assert.equal(
      readFileSync(path.join(folder, 'said'), 'utf8'),
      `here: ${folder}, told: do "it"\n`,
    );
    const { meta, folder: sessionFolder } = await sandbox.current.catalogue.get(String(made['id']));
    assert.equal(meta.cwd, folder);
    const parent = files.session.meta.id;
    const { branchOf } = meta;
    assert.deepEqual(
      [branchOf?.fromSessionId, branchOf?.fromByte, branchOf?.fsSnapshotId, branchOf?.method],
      [parent, 250, 2n, 'replay'],
    );
    for (const where of [files.session.folder, sessionFolder]) {
      const told = (await readEvents(where)).filter(({ kind }) => kind.startsWith('timeline.'));
      assert.equal(told.length, 1, where);
      const [event] = told;
      assert.ok(event?.kind === 'timeline.sessionBranch.created');
      assert.deepEqual([event.fromSession, event.toSession], [parent, made['id']]);
    }
    const said = JSON.parse(readFileSync(path.join(folder, '.ah/branch.json'), 'utf8')) as object;
    assert.ok('fromSessionId' in said && said.fromSessionId === parent);
    assert.match(await out('branches'), /näch ste +finished/);
  });

  it('show the plan with --dry-run and change nothing', async () => {
    const before = readdirSync(place.path);
    const { exitCode, stderr } = await ah(
      'branch',
      '--snapshot',
      '3',
      '--dry-run',
      '--message',
      'x',
    );
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /of snapshot 3.*step 3/);
    assert.doesNotMatch(stderr, /before that moment/);
    assert.match(stderr, /a git worktree/);
    assert.match(stderr, /memory +replay: the program starts again\n/);
    assert.match(stderr, /ah: AH does not know this program: it starts without memory/);
    const told = async (...args: string[]) =>
      (await ah('branch', '--at', ...args, '--dry-run')).stderr;
    assert.match(await told('@250'), /of snapshot 2.*step 2 \(the last one before that moment\)/);
    assert.match(
      await told('@50', '--message', 'one\ntwo\tthree'),
      /of snapshot 1.*\(later than that moment: no earlier one exists\)\n[^]*message +one ⏎ two three\n/,
    );
    assert.deepEqual(readdirSync(place.path), before);
    assert.match(await out('branches'), /No branches yet/);
  });

  it('refuse impossible requests with a sentence, and leave nothing behind', async () => {
    await out('branch', '--snapshot', '1', '--name', 'taken', '--no-launch', '--json');
    const exists = path.join(place.path, 'exists');
    mkdirSync(exists);
    const [link, nowhere] = [path.join(place.path, 'link'), path.join(place.path, 'nowhere')];
    symlinkSync(workspace, link);
    symlinkSync(path.join(place.path, 'not there'), nowhere);
    const taken = path.join(`${workspace}.branches`, 'taken');
    const before = filesOnDisk(place.path);
    for (const [args, message] of [
      [
        ['--snapshot', '1', '--name', 'taken'],
        /There is a branch “taken” of this workspace already/,
      ],
      [['--snapshot', '1', '--name', 'a/b'], /cannot be the name/],
      [['--snapshot', '1', '--dest', exists], /exists already/],
      [['--snapshot', '1', '--dest', path.join(workspace, 'x')], /inside the original workspace/],
      // Paths that look as if they were outside of the workspace: a name that starts with two dots,
      // and a link into the workspace.
      [['--snapshot', '1', '--dest', path.join(workspace, '..x')], /inside the original workspace/],
      [['--snapshot', '1', '--dest', path.join(link, 'x/y')], /inside the original workspace/],
      [
        ['--snapshot', '1', '--dest', path.join(nowhere, 'x')],
        /The path .* contains a broken link/,
      ],
      [['--snapshot', '1', '--dest', path.join(workspace, 'a.txt/x')], /a\.txt is not a folder/],
      [['--snapshot', '1', '--dest', path.join(taken, 'x')], /is inside the branch/],
      [['--snapshot', '1', '--dest', path.join(place.path, 'x'.repeat(300))], /is too long/],
      [['--snapshot', '1', '--message', 'x'.repeat(70_000)], /longer than 64 KiB/],
      [['--snapshot', '9'], /no snapshot 9/],
      [['--snapshot', '1', '--clone'], /Leave out --clone/],
      [['--snapshot', '1', '--at', '5'], /Name the moment/],
      [[], /Name the moment/],
      [['--at', '2001-01-01T00:00:00'], /began after that time/],
    ] as const) {
      const { exitCode, stderr } = await ah('branch', ...args);
      assert.notEqual(exitCode, 0, args.join(' '));
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /Internal error/);
    }
    assert.deepEqual(filesOnDisk(place.path), before);
    for (const command of ['rm', 'take', 'start']) {
      assert.match((await ah('branch', command, 'nobody')).stderr, /no branch “nobody”/);
    }
  });

  it('use the nearest snapshot for a missing or damaged one', async () => {
    const lines = await SnapshotsFile.open(files.session.folder);
    await lines.append({ ...files.find(3n), files: { state: 'removed' } });
    await lines.close();
    const refused = await ah('branch', '--snapshot', '3', '--no-launch');
    assert.match(refused.stderr, /removed, to free disk space.*nearest usable snapshot is 2/);
    assert.match(refused.stderr, /--snapshot 2, or add --nearest/);
    const made = await json('branch', '--snapshot', '3', '--nearest', '--no-launch');
    // The memory is trimmed to the moment of the snapshot.
    assert.deepEqual([made['snapshot'], made['fromByte']], [2, 200]);
    const kept = files.kept(2n);
    await (await files.provider()).remove([kept.ref]);
    const atByte = await ah('branch', '--at', '@210', '--no-launch', '--json');
    assert.match(atByte.stderr, /Can't use snapshot 2: .*nearest usable snapshot is 1/);
    assert.equal((JSON.parse(atByte.stdout.toString()) as { snapshot: number }).snapshot, 1);
  });

  it('report a moved project, and work with --moved-to', async () => {
    renameSync(workspace, path.join(place.path, 'moved'));
    const { exitCode, stderr } = await ah('branch', '--snapshot', '1');
    assert.equal(exitCode, 1);
    assert.match(stderr, /my pröject does not exist any more/);
    const moved = path.join(place.path, 'moved');
    const before = filesOnDisk(moved);
    const made = await json('branch', '--snapshot', '2', '--moved-to', moved, '--no-launch');
    const folder = String(made['workspace']);
    assert.equal(path.dirname(folder), `${moved}.branches`);
    assert.equal(readFileSync(path.join(folder, 'b.txt'), 'utf8'), 'two\n');
    assert.equal(await userGit(folder, 'status', '--porcelain'), '?? b.txt\n');
    writeFileSync(path.join(folder, 'found'), 'it\n');
    await out('branch', 'take', String(made['id']), '--yes');
    assert.equal(readFileSync(path.join(moved, 'found'), 'utf8'), 'it\n');
    rmSync(path.join(moved, 'found'));
    await out('branch', 'rm', String(made['id']), '--yes');
    assert.ok(!existsSync(folder));
    assert.deepEqual(filesOnDisk(moved), before);
  });

  it('are protected from pruning as long as they exist', async () => {
    await out('branch', '--snapshot', '1', '--name', 'kept', '--no-launch', '--json');
    const pruneAll = ['fs', 'prune', '--max-age-days', '0.0001', '--json'] as const;
    await out(...pruneAll);
    await files.refresh();
    const states = () => files.snapshots.map((line) => line.files.state);
    assert.deepEqual(states(), ['kept', 'removed', 'kept']);
    await out('branch', 'rm', 'kept', '--yes');
    await out(...pruneAll);
    await files.refresh();
    assert.deepEqual(states(), ['removed', 'removed', 'kept']);
  });

  it('work in place, after a snapshot of the current files, and can be undone', async () => {
    const before = filesOnDisk(workspace);
    const made = await json(
      'branch',
      '--snapshot',
      '1',
      '--in-place',
      '--no-launch',
      '--name',
      'here',
    );
    assert.equal(made['workspace'], workspace);
    assert.deepEqual([read('b.txt'), existsSync(path.join(workspace, 'c'))], ['one\n', false]);
    await out('fs', 'restore', '--undo', '--yes');
    assert.deepEqual(filesOnDisk(workspace), before);
    assert.match((await ah('branch', 'take', 'here')).stderr, /works in the original folder/);
    await out('branch', 'rm', 'here', '--yes');
    assert.deepEqual(filesOnDisk(workspace), before);
  });

  it('are applied file by file, merged with other changes, and can be undone', async () => {
    await out('branch', '--snapshot', '3', '--name', 'work', '--no-launch', '--json');
    const folder = path.join(`${workspace}.branches`, 'work');
    writeFileSync(path.join(folder, 'a.txt'), 'one\n2\n3\n4\n5\n');
    writeFileSync(path.join(folder, 'b.txt'), 'theirs\n');
    writeFileSync(path.join(folder, 'new'), 'new\n', { mode: 0o755 });
    renameSync(path.join(folder, 'c'), path.join(folder, 'd'));
    write('a.txt', '1\n2\n3\n4\nfive\n');
    write('b.txt', 'ours\n');
    const before = filesOnDisk(workspace);
    const expected = [
      'M  a.txt  (merged with your changes)',
      'M  b.txt  (skipped: conflicts with your changes)',
      'D  c',
      'A  d',
      'A  new',
    ];
    const shown = await out('branch', 'take', 'work', '--dry-run');
    assert.deepEqual(shown.trim().split('\n'), expected);
    assert.deepEqual(filesOnDisk(workspace), before);
    const taken = await ah('branch', 'take', 'work', '--yes');
    assert.equal(taken.exitCode, 1);
    assert.match(taken.stderr, /Skipped 1 file/);
    assert.equal(read('a.txt'), 'one\n2\n3\n4\nfive\n');
    assert.deepEqual([read('b.txt'), read('d'), read('new')], ['ours\n', 'c\n', 'new\n']);
    assert.ok(!existsSync(path.join(workspace, 'c')));
    assert.ok(!existsSync(path.join(workspace, '.ah')), 'nothing of ours comes back');
    await out('fs', 'restore', '--undo', '--yes');
    assert.deepEqual(filesOnDisk(workspace), before);
  });

  it('are merged by git when their changes are committed', async () => {
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'all');
    await files.dispose();
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    await out('branch', '--snapshot', '1', '--name', 'topic', '--no-launch', '--json');
    const folder = path.join(`${workspace}.branches`, 'topic');
    assert.match((await ah('branch', 'take', 'topic', '--merge')).stderr, /Nothing to merge/);
    writeFileSync(path.join(folder, 'topic.txt'), 'done\n');
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', 'the topic');
    assert.match(
      await out('branch', 'rm', 'topic', '--dry-run'),
      /1 commit only in this branch:\n.*the topic/,
    );
    assert.match(await out('branch', 'take', 'topic', '--merge', '--dry-run'), /the topic/);
    await out('branch', 'take', 'topic', '--merge', '--yes');
    assert.equal(read('topic.txt'), 'done\n');
    assert.match(await userGit(workspace, 'log', '--format=%s'), /the topic/);
    assert.doesNotMatch(await out('branch', 'rm', 'topic', '--dry-run'), /commit/);
  });

  it('get different names when several are created at the same time', async () => {
    const args = ['branch', '--snapshot', '2', '--message', 'go', '--no-launch'] as const;
    const made = await Promise.all(Array.from({ length: 4 }, () => json(...args)));
    const names = made.map((branch) => String(branch['name']));
    assert.equal(new Set(names).size, 4, names.join(' '));
    for (const name of names) assert.match(name, /^go(?:-\d+)?$/);
    for (const branch of made) {
      const folder = String(branch['workspace']);
      assert.equal(readFileSync(path.join(folder, 'b.txt'), 'utf8'), 'two\n');
      assert.equal(await userGit(folder, 'status', '--porcelain'), '?? b.txt\n');
    }
    const named = await Promise.all([1, 2].map(() => ah(...args, '--name', 'same')));
    assert.deepEqual(named.map(({ exitCode }) => exitCode).sort(), [0, 1]);
    assert.match(named.map(({ stderr }) => stderr).join(''), /already/);
    assert.ok(existsSync(path.join(`${workspace}.branches`, 'same/b.txt')));
  });

  it('start a branch that waits for a window, which then does not start it again', async () => {
    const made = await json('branch', '--snapshot', '2', '--name', 'waits', '--no-launch');
    const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
    const record = await registry.find('waits');
    await registry.put({ ...record, launch: { ...record.launch!, isWaiting: true } });
    const started = await ah('branch', 'start', 'waits');
    assert.equal(started.exitCode, 0, started.stderr);
    assert.ok(existsSync(path.join(String(made['workspace']), 'said')));
    assert.equal(await registry.claimLaunch(record.id), undefined);
    assert.match((await ah('branch', 'start', 'waits')).stderr, /has already been started/);
  });

  it('start a branch once, even if several processes try at the same time', async () => {
    const made = await json('branch', '--snapshot', '2', '--name', 'once', '--no-launch');
    const started = await Promise.all([1, 2, 3].map(() => ah('branch', 'start', 'once')));
    const said = started.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`).sort();
    assert.match(said[0]!, /^0 /, said.join('\n'));
    for (const other of said.slice(1)) assert.match(other, /^1 .*has already been started/);
    await sandbox.current.settled();
    const { meta } = await sandbox.current.catalogue.get(String(made['id']));
    assert.equal(meta.exitCode, 0);
    assert.ok(existsSync(meta.recording));
  });

  it('list what will be lost before they discard a branch', async () => {
    await out('branch', '--snapshot', '2', '--name', 'gone', '--message', 'x', '--json');
    await sandbox.current.settled();
    const refused = await ah('branch', 'rm', 'gone');
    assert.match(refused.stdout.toString(), /Changes to 1 file:\n {2}A {2}said/);
    assert.match(refused.stdout.toString(), /The session .* with its recording and snapshots/);
    assert.match(refused.stderr, /Add --yes/);
    assert.ok(existsSync(path.join(`${workspace}.branches`, 'gone')));
    await out('branch', 'rm', 'gone', '--yes');
    assert.ok(!existsSync(`${workspace}.branches`));
    assert.equal((await sandbox.current.catalogue.list()).length, 1, 'the session is gone too');
    assert.equal((await userGit(workspace, 'worktree', 'list')).trim().split('\n').length, 1);
  });

  async function json(...args: string[]): Promise<Record<string, unknown>> {
    return JSON.parse(await out(...args, '--json')) as Record<string, unknown>;
  }
});
