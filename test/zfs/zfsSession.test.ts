// Runs in the virtual machine, bundled; see scripts/tasks/zfs.mjs.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { treeState, type TreeState } from '../support/volumes/treeState.ts';

/** The bundle of this test puts the CLI beside this file. */
const cli = path.join(import.meta.dirname, 'dist/cli.cjs');
const WHO = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
/**
 * Waits for the files of the first snapshot: on a slow machine, the program starts before they are
 * stored.
 */
const FILES_KEPT = `until grep -q '"trigger":"start".*"fs_snapshot":true' "$AH_SESSION_DIR/session.snapshots.jsonl"; do sleep 1; done`;

/** The product itself, in a repository that is a dataset. */
describe('a session on ZFS', function () {
  // The virtual machine emulates the processor, which is slow.
  this.timeout(900_000);
  const dataset = 'tank/session';
  const workspace = '/tank/session/project';
  let data = '';

  before(() => {
    data = fs.mkdtempSync('/tmp/ah-data-');
    zfs('create', dataset);
    fs.mkdirSync(path.join(workspace, 'hollow'), { recursive: true });
    git('init', '-q');
    write('a.txt', 'one\n');
    write('.gitignore', 'ignored\n');
    write('ignored', 'precious\n');
    git('add', '.');
    git(...WHO, 'commit', '-qm', 'one');
  });
  after(() => zfs('destroy', '-R', dataset));

  function zfs(...args: string[]): string {
    return execFileSync('zfs', args, { encoding: 'utf8' });
  }
  function git(...args: string[]): string {
    return execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });
  }
  function write(name: string, content: string): void {
    fs.writeFileSync(path.join(workspace, name), content);
  }
  function ah(args: readonly string[], input = ''): string {
    const { status, stdout, stderr } = tried(args, input);
    assert.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }
  function tried(args: readonly string[], input: string) {
    const env = { ...process.env, AH_DATA_DIR: data, AH_SNAPSHOTS: '1', HOME: data };
    const options = { cwd: workspace, env, input, encoding: 'utf8' as const };
    return spawnSync(process.execPath, [cli, ...args], options);
  }
  function datasets(): string[] {
    return zfs('list', '-H', '-r', '-o', 'name', dataset).trim().split('\n');
  }
  function withoutOurs(state: TreeState): TreeState {
    return new Map([...state].filter(([name]) => !/^\.ah(\/|$)/.test(name)));
  }

  it('takes snapshots of its files, and restores them without touching the repository', () => {
    const script = [
      FILES_KEPT,
      'echo two > a.txt; rmdir hollow; git add a.txt',
      `${process.execPath} ${cli} agent fs snapshot --label two`,
      'echo three > a.txt; echo "the secret" > b.txt',
    ].join('\n');
    ah(['agent', 'record', '--', '/bin/sh', '-c', script]);
    assert.match(ah(['agent', 'fs', 'status']), /are stored with zfs/);
    const list = ah(['agent', 'fs', 'list']);
    assert.match(list, /1 .*Session start\n2 .*two\n3 .*Session end/);
    const changes = ah(['agent', 'fs', 'diff', '1', '3']);
    assert.match(changes, /^M {2}a\.txt$/m);
    assert.match(changes, /^A {2}b\.txt$/m);
    const index = git('ls-files', '-s');
    const planned = ah(['agent', 'fs', 'restore', '1', '--dry-run']);
    assert.equal(planned, 'M  a.txt\nD  b.txt\nA  hollow/\n');
    ah(['agent', 'fs', 'restore', '1', '--yes']);
    assert.equal(fs.readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'one\n');
    assert.deepEqual(fs.readdirSync(path.join(workspace, 'hollow')), []);
    assert.equal(git('ls-files', '-s'), index, 'what was staged stays so');
    ah(['agent', 'fs', 'restore', '--undo', '--yes']);
    assert.equal(fs.readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'three\n');
  });

  it('branches into a clone of the dataset, which is removed with the branch', () => {
    const before = treeState(workspace);
    const kept = ah(['agent', 'fs', 'list', '--json']).trim().split('\n');
    const { ref } = JSON.parse(kept[1]!) as { ref: string };
    const top = `/${dataset}/.zfs/snapshot/${ref.slice(0, ref.indexOf(':'))}/project`;
    const made = JSON.parse(
      ah(['agent', 'branch', '--snapshot', '2', '--name', 'other', '--no-launch', '--json']),
    ) as { kind: string; workspace: string };
    assert.equal(made.kind, 'clone');
    assert.equal(datasets().length, 2);
    assert.deepEqual(withoutOurs(treeState(made.workspace)), treeState(top));
    assert.equal(fs.readFileSync(path.join(made.workspace, 'a.txt'), 'utf8'), 'two\n');
    assert.equal(fs.readFileSync(path.join(made.workspace, 'ignored'), 'utf8'), 'precious\n');
    fs.writeFileSync(path.join(made.workspace, 'a.txt'), 'in the branch\n');
    execFileSync('git', [...WHO, 'commit', '-qam', 'in the branch'], { cwd: made.workspace });
    assert.deepEqual(treeState(workspace), before, 'the original is as it was');
    ah(['agent', 'fs', 'prune', '--max-age-days', '0.0000001']);
    assert.ok(fs.existsSync(top), 'what a branch comes from stays');
    ah(['agent', 'branch', 'rm', 'other', '--yes']);
    assert.deepEqual(datasets(), [dataset]);
    assert.ok(!fs.existsSync(made.workspace));
    assert.deepEqual(treeState(workspace), before);
  });

  it('loses the snapshots that contain a scrubbed text, and reports them', () => {
    const [session] = JSON.parse(ah(['agent', 'sessions', '--json'])) as { id: string }[];
    // The text is also in the dataset outside of the workspace.
    const beside = `/${dataset}/beside.txt`;
    fs.writeFileSync(beside, 'the secret\n');
    fs.rmSync(path.join(workspace, 'b.txt'));
    ah(['agent', 'record', '--', '/bin/sh', '-c', FILES_KEPT]);
    fs.rmSync(beside);
    ah([
      'agent',
      'branch',
      '--session',
      session!.id,
      '--snapshot',
      '3',
      '--name',
      'needs',
      '--no-launch',
    ]);
    const left = tried(['agent', 'scrub', session!.id], 'the secret\n');
    assert.equal(left.status, 1);
    assert.match(
      left.stderr,
      /except from these places: The snapshot .* cannot be removed: a branch still uses it\./,
    );
    ah(['agent', 'branch', 'rm', 'needs', '--yes']);
    const said = ah(['agent', 'scrub', session!.id], 'the secret\n');
    assert.match(said, /Deleted \d+ snapshots? that contained the text\./);
    assert.doesNotMatch(said, /rewrote [1-9]/);
    for (const name of fs.readdirSync(`/${dataset}/.zfs/snapshot`)) {
      for (const place of ['project/b.txt', 'beside.txt']) {
        const file = `/${dataset}/.zfs/snapshot/${name}/${place}`;
        assert.ok(!fs.existsSync(file), file);
      }
    }
  });

  it('runs the program again in a branch, with HEAD, index and files of the moment', () => {
    const ids = () =>
      (JSON.parse(ah(['agent', 'sessions', '--json'])) as { id: string }[]).map(idOf);
    const known = ids();
    const said = path.join(data, 'said');
    const look = ['git rev-parse HEAD', 'git ls-files -s', 'git status --short', 'cat a.txt', 'ls'];
    const script = [
      FILES_KEPT,
      `{ cd "$0"; ${look.join('; ')}; env | grep ^AH_BRANCH_ || true; } > ${said}`,
    ];
    ah(['agent', 'record', '--', '/bin/sh', '-c', script.join('\n'), workspace]);
    const there = fs.readFileSync(said, 'utf8');
    assert.match(there, /^MM a\.txt$/m, 'something is staged, and something is not');
    const session = ids().find((id) => !known.includes(id))!;
    write('a.txt', 'four\n');
    write('c.txt', 'later\n');
    git('add', '.');
    git(...WHO, 'commit', '-qm', 'later');
    const before = treeState(workspace);
    const args = ['--session', session, '--snapshot', '1', '--name', 'again', '--message', 'Look.'];
    ah(['agent', 'branch', ...args]);
    const told = fs.readFileSync(said, 'utf8');
    assert.equal(told.slice(0, there.length), there);
    const env = Object.fromEntries(
      Array.from(told.slice(there.length).matchAll(/^(\w+)=(.*)$/gm), ([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>;
    assert.equal(env['AH_BRANCH_NAME'], 'again');
    assert.equal(env['AH_BRANCH_MESSAGE'], 'Look.');
    assert.equal(env['AH_BRANCH_FROM_SESSION'], session);
    assert.equal(env['AH_BRANCH_FROM_SNAPSHOT'], '1');
    assert.equal(env['AH_BRANCH_FROM_WORKSPACE'], workspace);
    const made = branchThatEnded();
    const note = JSON.parse(
      fs.readFileSync(path.join(made.workspace, '.ah/branch.json'), 'utf8'),
    ) as Record<string, unknown>;
    assert.deepEqual([note['fromSessionId'], note['fromWorkspace']], [session, workspace]);
    assert.deepEqual(treeState(workspace), before, 'the original is as it was');
    ah(['agent', 'branch', 'rm', 'again', '--yes']);
    assert.deepEqual(datasets(), [dataset]);
    assert.deepEqual(treeState(workspace), before);
  });

  /** The recorder may still be taking the last snapshot. */
  function branchThatEnded(): { workspace: string } {
    for (;;) {
      const [branch] = JSON.parse(ah(['agent', 'branches', '--json'])) as {
        workspace: string;
        stateText: string;
      }[];
      if (branch!.stateText === 'finished') return branch!;
      spawnSync('sleep', ['1']);
    }
  }
});

function idOf({ id }: { id: string }): string {
  return id;
}
