import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { cliFile, collect, processes, until } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, fingerprint, userGit } from '../../support/git/gitWorkspace.ts';
import { runInPty } from '../../support/terminal/ptyRun.ts';
import { commandOf } from '../../support/processes/processCommand.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { slowTest } from '../../support/tiers.ts';
import { isSoak } from '../../support/soak.ts';
import { unmount } from '../../support/volumes/unmount.ts';

const KILLS = isSoak ? 100 : 8;
const MIB = 1024 * 1024;
/** As in `src/cli/progress.ts`. */
const SHOWN_AFTER_MS = 1000;

describe('a branch that cannot be completed', function () {
  this.timeout(KILLS * 30_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let workspace = '';
  let files: SessionFiles;

  beforeEach(async () => {
    workspace = path.join(place.path, 'project');
    mkdirSync(path.join(workspace, 'node_modules'), { recursive: true });
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, '.gitignore'), 'node_modules\n');
    for (let number = 0; number < 300; number++) {
      writeFileSync(path.join(workspace, `file${number}`), `${number}\n`.repeat(500));
    }
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    for (let number = 0; number < 3000; number++) {
      writeFileSync(path.join(workspace, `node_modules/m${number}`), `${number}`.repeat(1000));
    }
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
  });
  afterEach(() => files.dispose());

  function start(...args: string[]): ChildProcess {
    const env = { ...sandbox.current.env, AH_SESSION_ID: files.session.meta.id };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, stdio: 'pipe' });
    child.stdin.end();
    return child;
  }

  async function listed(): Promise<{ id: string; name: string; stateText: string }[]> {
    const { stdout } = await collect(start('branches', '--json'));
    return JSON.parse(stdout.toString()) as { id: string; name: string; stateText: string }[];
  }

  /** Children of a killed process may run a little longer. */
  async function noStragglers(): Promise<void> {
    await until(
      () => !processes().some((pid) => commandOf(pid).includes(`${workspace}.branches`)),
      'what was under way to end',
    );
  }

  slowTest(
    `leaves nothing, or a listed branch that can be removed, after a kill: ${KILLS} times`,
    async () => {
      const before = { files: filesOnDisk(workspace), git: fingerprint(`${workspace}/.git`) };
      const states = new Set<string>();
      for (let run = 0; run < KILLS; run++) {
        const child = start('branch', '--snapshot', '1', '--name', `b${run}`, '--no-launch');
        const ended = collect(child);
        await sleep(120 + ((run * 137) % 700));
        child.kill('SIGKILL');
        await ended;
        const [left, ...more] = await listed();
        assert.deepEqual(more, []);
        states.add(left?.stateText ?? 'nothing');
        if (left) {
          assert.ok(['interrupted', 'not started'].includes(left.stateText), left.stateText);
          const { exitCode, stderr } = await collect(start('branch', 'rm', left.id, '--yes'));
          assert.equal(exitCode, 0, stderr);
        }
        assert.deepEqual(await listed(), []);
        await noStragglers();
        assert.ok(!existsSync(`${workspace}.branches/b${run}`), `after ${left?.stateText}`);
        assert.equal((await userGit(workspace, 'worktree', 'list')).trim().split('\n').length, 1);
      }
      assert.deepEqual(filesOnDisk(workspace), before.files);
      assert.deepEqual(fingerprint(`${workspace}/.git`), before.git);
      assert.ok(states.has('interrupted'), `a kill came half-way: ${[...states].join(', ')}`);
    },
  );

  slowTest('is removed once its folder is no longer in use', async () => {
    await collect(start('branch', '--snapshot', '1', '--name', 'busy', '--no-launch', '--json'));
    const folder = `${workspace}.branches/busy`;
    const used = path.join(folder, 'used');
    mkdirSync(used);
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', used]);
    const ended = collect(start('branch', 'rm', 'busy', '--yes'));
    try {
      await until(() => readdirSync(folder).length === 1, 'the rest to be removed');
      // Longer than the 3 seconds that Node retries by itself.
      await sleep(4_000);
    } finally {
      execFileSync('umount', [used]);
    }
    const { exitCode, stderr } = await ended;
    assert.equal(exitCode, 0, stderr);
    assert.ok(!existsSync(folder));
  });

  it('leaves nothing behind when the user cancels it', async () => {
    const child = start('branch', '--snapshot', '1', '--name', 'cancelled', '--no-launch');
    const ended = collect(child);
    const copied = `${workspace}.branches/cancelled/node_modules`;
    await until(() => existsSync(copied) && readdirSync(copied).length > 5, 'files to come along');
    child.kill('SIGINT');
    const { exitCode, stderr } = await ended;
    assert.equal(exitCode, 1);
    assert.match(stderr, /Cancelled: no branch was created/);
    assert.deepEqual(await listed(), []);
    assert.ok(!existsSync(`${workspace}.branches/cancelled`));
    assert.ok(!existsSync(path.join(workspace, '.git/worktrees')));
  });

  it('shows its progress in a terminal, and Ctrl-C cancels it', async () => {
    const env = { ...sandbox.current.env, AH_SESSION_ID: files.session.meta.id };
    const args = ['agent', 'branch', '--snapshot', '1', '--name', 'slow', '--no-launch'];
    const run = runInPty(process.execPath, [cliFile, ...args], { cwd: place.path, env });
    const copied = `${workspace}.branches/slow/node_modules`;
    await until(() => existsSync(copied), 'the first copied folder');
    // Steps that take less time are not shown.
    process.kill(run.pty.pid, 'SIGSTOP');
    await sleep(SHOWN_AFTER_MS);
    run.pty.write('\x03');
    process.kill(run.pty.pid, 'SIGCONT');
    await run.waitFor('Copying node_modules (1 / 1) …');
    assert.equal((await run.ended).exitCode, 1);
    assert.match(run.output().toString(), /\r\x1b\[Kah: Cancelled: no branch was created/);
    assert.deepEqual(await listed(), []);
    assert.ok(!existsSync(`${workspace}.branches/slow`));
  });

  it('reports a full disk, and leaves nothing behind', async () => {
    const disk = mkdtempSync(path.join(tmpdir(), 'ah-disk-'));
    for (const size of ['1m', '4m']) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
      try {
        if (size === '4m') writeFileSync(path.join(disk, 'filler'), Buffer.alloc(MIB));
        const args = ['--snapshot', '1', '--dest', path.join(disk, 'branch'), '--no-launch'];
        const { exitCode, stderr } = await collect(start('branch', ...args));
        assert.equal(exitCode, 1);
        assert.match(stderr, /The disk is full: no branch was created/);
        assert.doesNotMatch(stderr, /Internal error/);
        assert.ok(!existsSync(path.join(disk, 'branch')), size);
        assert.deepEqual(await listed(), []);
        assert.ok(!existsSync(path.join(workspace, '.git/worktrees')));
      } finally {
        await unmount(disk);
      }
    }
    rmdirSync(disk);
  });
});
