import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';
import {
  applyPlan,
  lastReplaced,
  planRestore,
} from '../../../src/snapshots/node/restore/restoreWorkspace.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import type { RestoreResult } from '../../../src/snapshots/common/restore/applyRestore.ts';
import { until } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { slowTest } from '../../support/tiers.ts';

/** Size of a file that Node can't read at once. */
const HUGE = 2 * 1024 ** 3 + 1;
const { signal } = new AbortController();

describe('restoring a snapshot', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const disk = useBtrfsDisk({ sizeMib: 512 });
  let workspace = '';
  const at = (name: string) => path.join(workspace, name);

  /** @param restored the number of a snapshot, or `replaced` for undo */
  const plan = async (files: SessionFiles, restored: bigint | 'replaced') =>
    planRestore(files, {
      ...(restored === 'replaced'
        ? await lastReplaced(files.session.folder)
        : files.kept(restored)),
      label: 'test',
      signal,
    });

  const restore = async (files: SessionFiles, to: bigint | 'replaced'): Promise<RestoreResult> =>
    applyPlan(files, await plan(files, to), { signal });

  async function useGit(): Promise<void> {
    workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    writeFileSync(at('a'), 'a\n');
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
  }

  function useBtrfs(): Promise<void> {
    workspace = disk.current.subvolume('project');
    writeFileSync(at('a'), 'a\n');
    return Promise.resolve();
  }

  const record = (...steps: (() => void)[]) =>
    placeBranchable(sandbox.current, workspace, { steps });

  it('keeps files that were ignored then, although an earlier moment shares the snapshot', async () => {
    await useGit();
    const exclude = at('.git/info/exclude');
    const files = await record(
      () => writeFileSync(exclude, '*.log\n'),
      () => writeFileSync(at('x.log'), 'not kept\n'),
    );
    assert.equal(files.kept(1n).ref, files.kept(2n).ref, 'both share a state');
    writeFileSync(exclude, '');
    writeFileSync(at('new'), 'new\n');
    const { steps } = await plan(files, 2n);
    assert.deepEqual(steps, [{ path: 'new', kind: 'delete' }]);
    await restore(files, 2n);
    assert.equal(readFileSync(at('x.log'), 'utf8'), 'not kept\n');
    // This file did not exist before the restore, and is in a snapshot now, so undo removes it.
    assert.deepEqual((await plan(files, 1n)).steps, [{ path: 'x.log', kind: 'delete' }]);
    await files.dispose();
  });

  it('keeps, on undo, files that were ignored before', async () => {
    await useGit();
    const exclude = at('.git/info/exclude');
    writeFileSync(exclude, '*.log\n');
    const files = await record(
      () => {},
      () => writeFileSync(at('a'), 'two\n'),
    );
    writeFileSync(at('x.log'), 'not kept\n');
    await restore(files, 1n);
    writeFileSync(exclude, '');
    await restore(files, 'replaced');
    assert.equal(readFileSync(at('a'), 'utf8'), 'two\n');
    assert.equal(readFileSync(at('x.log'), 'utf8'), 'not kept\n');
    await files.dispose();
  });

  it('applies the reviewed plan and leaves later changes alone', async () => {
    await useGit();
    const files = await record(() => writeFileSync(at('b'), 'b\n'));
    for (const name of ['a', 'b']) writeFileSync(at(name), 'changed\n');
    const shown = await plan(files, 1n);
    writeFileSync(at('made after'), 'it was shown\n');
    writeFileSync(at('b'), 'changed after it was shown\n');
    const { done, skipped } = await applyPlan(files, shown, { signal });
    assert.deepEqual(done, [{ path: 'a', kind: 'change' }]);
    assert.deepEqual(
      skipped.map(({ step, reason }) => [step.path, reason]),
      [['b', 'It has changed since the restore was planned.']],
    );
    assert.equal(readFileSync(at('made after'), 'utf8'), 'it was shown\n');
    await files.dispose();
  });

  const leftBehind = () => readdirSync(workspace).filter((name) => name.startsWith('.ah-'));

  slowTest(
    'leaves only its own folder when killed, which git ignores and the next restore removes',
    async () => {
      await useGit();
      const names = Array.from({ length: 3000 }, (_, number) => `f${number}`);
      const files = await record(() => {
        for (const name of names) writeFileSync(at(name), 'then\n');
      });
      for (const name of names) writeFileSync(at(name), 'now\n');
      const session = ['--session', files.session.meta.id];
      const child = sandbox.current.start('agent', 'fs', 'restore', ...session, '1', '--yes');
      const isHalfDone = () => readFileSync(at('f100'), 'utf8') === 'then\n';
      await until(isHalfDone, 'some of the files');
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.equal(leftBehind().length, 1);
      const seen = await userGit(workspace, 'status', '--porcelain', '-uall');
      assert.ok(!seen.includes('.ah-'), seen);
      assert.deepEqual(
        readdirSync(workspace).filter((name) => name.endsWith('.tmp')),
        [],
      );
      await restore(files, 1n);
      assert.deepEqual(leftBehind(), []);
      for (const name of names) assert.equal(readFileSync(at(name), 'utf8'), 'then\n', name);
      await files.dispose();
    },
  );

  it('leaves the drafts of a running restore alone; pruning removes abandoned ones', async () => {
    await useGit();
    const files = await record(() => writeFileSync(at('b'), 'b\n'));
    const ofNobody = at('.ah-restoring.0a.999999-gone');
    const own = at(`.ah-restoring.0b.${nodeProcesses.own}`);
    for (const folder of [ofNobody, own]) mkdirSync(folder);
    const { stderr, exitCode } = await sandbox.current.run('agent', 'fs', 'prune');
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual(leftBehind(), [path.basename(own)]);
    await files.dispose();
  });

  it('restores files on another disk that is mounted in the folder', async () => {
    await useGit();
    mkdirSync(at('other'));
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', at('other')]);
    try {
      const files = await record(() => writeFileSync(at('other/b'), 'then\n'));
      writeFileSync(at('other/b'), 'now\n');
      assert.deepEqual((await restore(files, 1n)).skipped, []);
      assert.equal(readFileSync(at('other/b'), 'utf8'), 'then\n');
      assert.deepEqual(readdirSync(at('other')), ['b']);
      await files.dispose();
    } finally {
      execFileSync('umount', [at('other')]);
    }
  });

  for (const [provider, use] of [
    ['git', useGit],
    ['Btrfs', useBtrfs],
  ] as const) {
    it(`restores a deleted folder, and reads it before that (${provider})`, async () => {
      await use();
      const files = await record(() => writeFileSync(at('b'), 'b\n'));
      if (provider === 'git') rmSync(workspace, { recursive: true });
      else execFileSync('btrfs', ['subvolume', 'delete', workspace], { stdio: 'ignore' });
      const session = ['--session', files.session.meta.id];
      const shown = await sandbox.current.run('agent', 'fs', 'show', ...session, '1', 'b');
      assert.deepEqual([shown.stdout.toString(), shown.exitCode], ['b\n', 0], shown.stderr);
      const { exitCode, stderr } = await sandbox.current.run(
        ...['agent', 'fs', 'restore', ...session, '1', '--yes'],
      );
      assert.equal(exitCode, 0, stderr);
      assert.equal(readFileSync(at('b'), 'utf8'), 'b\n');
      assert.equal(readFileSync(at('a'), 'utf8'), 'a\n');
      await files.dispose();
    });
  }

  it('restores and exports files larger than memory should hold', async () => {
    await useBtrfs();
    const files = await record(() => {
      writeFileSync(at('huge'), 'begin');
      truncateSync(at('huge'), HUGE);
    });
    const session = ['--session', files.session.meta.id];
    const target = path.join(disk.current.folder, 'exported');
    const { exitCode, stderr } = await sandbox.current.run(
      ...['agent', 'fs', 'export', ...session, '1', target],
    );
    assert.equal(exitCode, 0, stderr);
    assert.equal(statSync(path.join(target, 'huge')).size, HUGE);
    writeFileSync(at('huge'), 'small');
    assert.deepEqual((await restore(files, 1n)).skipped, []);
    assert.equal(statSync(at('huge')).size, HUGE);
    rmSync(target, { recursive: true });
    await files.dispose();
  });

  it('reports that pipes are skipped, in a restore and in an export', async () => {
    await useBtrfs();
    const files = await record(() => void execFileSync('mkfifo', [at('pipe')]));
    const session = ['--session', files.session.meta.id];
    const target = path.join(place.path, 'exported');
    const { stdout } = await sandbox.current.run(
      ...['agent', 'fs', 'export', ...session, '1', target],
    );
    assert.match(stdout.toString(), /^1 file written/);
    assert.match(stdout.toString(), /Not written: pipe \(a pipe, a socket or a device\)/);
    rmSync(at('pipe'));
    execFileSync('mkfifo', [at('other')]);
    const { done, skipped } = await restore(files, 1n);
    assert.deepEqual(done, []);
    assert.deepEqual(
      skipped.map(({ step }) => step.path),
      ['other', 'pipe'],
    );
    assert.ok(skipped.every(({ reason }) => reason.startsWith('Pipes, sockets')));
    assert.ok(existsSync(at('other')));
    await files.dispose();
  });
});
