import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markInterrupted } from '../../../src/sessions/node/liveness.ts';
import { forgetOpened, noteOpened } from '../../../src/snapshots/node/list/openedSnapshots.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import type { SnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';
import {
  cliFile,
  collect,
  outputOf,
  readRecording,
  until,
  type LaunchedSession,
} from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { untilKept } from '../../support/processes/shellScripts.ts';
import { assertAgreement } from '../../support/git/snapshotAgreement.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { slowTest } from '../../support/tiers.ts';
import { isSoak } from '../../support/soak.ts';

const KILLS = isSoak ? 100 : 8;

interface PruneResult {
  readonly totalBytes: number;
  readonly freedBytes: number;
  readonly expired: readonly { readonly id: number }[];
}

/** Commands that end within this time share a snapshot. */
const COALESCED_MS = 300;
/** The recorder waits this long for git to finish. */
const GIT_PAUSE_MS = 300;

/** With the real git, in a separate repository. */
describe('snapshots of a session', () => {
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  beforeEach(async () => {
    process.env['AH_DATA_DIR'] = sandbox.current.folder; // This process reads the snapshots, too.
    await userGit(workspace.path, 'init', '-q');
    writeFileSync(path.join(workspace.path, 'a.txt'), 'one\n');
    await userGit(workspace.path, 'add', '.');
    await userGit(workspace.path, 'commit', '-qm', 'one');
  });

  it('are taken at its start, on request and at its end; recording, list and provider agree', async () => {
    const fs = `${process.execPath} ${cliFile} agent fs`;
    const { stdout, stderr } = await ah(
      ...['agent', 'record', '--', '/bin/sh', '-c'],
      `${untilKept('start')}; echo two > a.txt; ${fs} snapshot --label hello --json; rm a.txt`,
    );
    assert.equal(stderr, '');
    await sandbox.current.settled();
    const [session] = await sandbox.current.catalogue.list();
    const files = await SessionFiles.open(session!);
    assert.deepEqual(
      files.snapshots.map(({ label, trigger, kind }) => [label, trigger, kind]),
      [
        ['Session start', 'start', 'auto'],
        ['hello', 'manual', 'manual'],
        ['Session end', 'end', 'auto'],
      ],
    );
    assert.equal(await contentOf(files, 1n), 'one\n');
    assert.equal(await contentOf(files, 2n), 'two\n');
    await assert.rejects(contentOf(files, 3n), /not-in-snapshot|a\.txt/);
    const answer = JSON.parse(stdout.toString()) as { id: number; ref: string };
    assert.deepEqual([answer.id, answer.ref], [2, files.kept(2n).ref]);
    await assertAgreement(session!.meta.recording, files);
    await files.dispose();
  });

  const mark = (text: string) => `printf '\\033]633;${text}\\007'`;

  /** Returns the moments of the commands that a shell marked, after it has ended. */
  async function commandsOf(script: string) {
    const launched = await launch(['/bin/sh', '-c', script]);
    await sandbox.current.settled();
    const files = await SessionFiles.open(await launched.session());
    return { files, commands: files.snapshots.filter(({ trigger }) => trigger === 'command') };
  }

  it('are taken after each command of a shell that marks its commands', async () => {
    const script = [
      mark('E;make one'),
      mark('C'),
      'echo 1 > made',
      mark('D;0'),
      untilKept('command'),
      mark('E;make two'),
      mark('C'),
      'echo 2 > made',
      mark('D;0'),
      untilKept('command', 2),
    ].join('; ');
    const { files, commands } = await commandsOf(script);
    assert.deepEqual(
      commands.map(({ label }) => label),
      ['After `make one`', 'After `make two`'],
    );
    const contents = await Promise.all(commands.map(({ id }) => contentOf(files, id, 'made')));
    assert.deepEqual(contents, ['1\n', '2\n']);
    await files.dispose();
  });

  it('are taken a few times per second for many commands, each with its moment', async () => {
    const name = `${mark('E;make %s')} $n`;
    const command = [name, mark('C'), 'echo $n > made', mark('D;0'), 'sleep 0.02'].join('; ');
    const script = `${untilKept('start')}; for n in $(seq 40); do ${command}; done`;
    const { files, commands } = await commandsOf(script);
    assert.deepEqual(
      commands.map(({ label }) => label),
      Array.from({ length: 40 }, (_, n) => `After \`make ${n + 1}\``),
    );
    const states = new Set(commands.map(({ id }) => files.kept(id).ref));
    const lastedMs = Number((commands.at(-1)!.tsNs - commands[0]!.tsNs) / 1_000_000n);
    const most = 2 + Math.ceil(lastedMs / COALESCED_MS);
    assert.ok(states.size >= 2 && states.size <= most, `${states.size} states in ${lastedMs} ms`);
    assert.equal(await contentOf(files, commands.at(-1)!.id, 'made'), '40\n');
    await files.dispose();
  });

  it('are taken by timer if files changed, as often as configured', async () => {
    const launched = await launch(['/bin/sh', '-c', `${untilKept('start')}; sleep 60`], {
      snapshotMinutes: 0.005,
    });
    const taken = async () => (await SessionFiles.open(await launched.session())).snapshots;
    const changeAndWait = async (text: string, count: number) => {
      // Replaces the file in one step, so that no snapshot is taken in the middle of a write.
      const written = path.join(sandbox.current.folder, 'written');
      writeFileSync(written, text);
      renameSync(written, path.join(workspace.path, 'a.txt'));
      await until(async () => (await taken()).length === count, 'the snapshot', 30_000);
    };
    await until(async () => (await taken()).length === 1, 'the start', 30_000);
    await changeAndWait('two\n', 2);
    // The timer runs out twice in this time, but takes no snapshot because no file has changed.
    await sleep(700);
    assert.equal((await taken()).length, 2, 'none while nothing changes');
    await changeAndWait('three\n', 3);
    const [, ...timed] = await taken();
    for (const { label, trigger } of timed) {
      assert.deepEqual({ label, trigger }, { label: '1 file changed: a.txt', trigger: 'timer' });
    }
    const refused = await ah('agent', 'record', '--snapshot-minutes', 'often', '--', 'true');
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /a number from 0 to 1440/);
  });

  it('are taken once after a commit', async () => {
    const launched = await launch(['/bin/sh', '-c', `${untilKept('start')}; echo up; sleep 60`]);
    const isUp = async () => outputOf((await readRecording(launched.recording)).records).length > 0;
    await until(isUp, 'the start', 30_000);
    writeFileSync(path.join(workspace.path, 'a.txt'), 'two\n');
    await userGit(workspace.path, 'commit', '-qam', 'two');
    const taken = async () => (await SessionFiles.open(await launched.session())).snapshots;
    const triggers = async () => (await taken()).map(({ trigger }) => trigger);
    await until(async () => (await triggers()).includes('git'), 'the snapshot', 30_000);
    // By then, a second snapshot of the commit would have been taken.
    await sleep(GIT_PAUSE_MS + 100);
    assert.deepEqual(await triggers(), ['start', 'git']);
    assert.match((await taken()).at(-1)!.label, /^Commit [0-9a-f]{7} two$/);
  });

  for (const place of ['a working tree of another repository', 'a folder of one', 'a linked one'])
    it(`are taken after a commit in ${place}`, async () => {
      const isLink = place === 'a linked one';
      const folder = path.join(isLink ? sandbox.current.folder : workspace.path, 'inside');
      if (isLink) symlinkSync(workspace.path, folder);
      else if (place === 'a folder of one') mkdirSync(folder);
      else await userGit(workspace.path, 'worktree', 'add', '-q', folder);
      const script = `${untilKept('start')}; echo up; sleep 60`;
      const launched = await launch(['/bin/sh', '-c', script], { cwd: folder, workspace: folder });
      const isUp = async () =>
        outputOf((await readRecording(launched.recording)).records).length > 0;
      await until(isUp, 'the start', 30_000);
      writeFileSync(path.join(folder, 'new.txt'), 'two\n');
      await userGit(folder, 'add', 'new.txt');
      await userGit(folder, 'commit', '-qm', 'two');
      const labels = async () =>
        (await SessionFiles.open(await launched.session())).snapshots.map(({ label }) => label);
      const isLabelled = (label: string) => /^Commit [0-9a-f]{7} two$/.test(label);
      await until(async () => (await labels()).some(isLabelled), 'the snapshot', 30_000);
    });

  it('leave a moment with the reason if they fail, and the recording continues', async () => {
    rmSync(path.join(workspace.path, '.git'), { recursive: true });
    const isSaid = 'grep -q whole "$AH_SESSION_DIR/session.snapshots.jsonl"';
    const script = `echo hello; until ${isSaid}; do sleep 0.02; done; echo bye`;
    const launched = await launch(['/bin/sh', '-c', script], {
      workspace: path.parse(workspace.path).root,
    });
    await sandbox.current.settled();
    const { records } = await readRecording(launched.recording);
    assert.match(
      Buffer.concat(records.flatMap((r) => (r.kind === 'data' ? [r.bytes] : []))).toString(),
      /hello\r\nbye/,
    );
    const files = await SessionFiles.open(await launched.session());
    for (const line of files.snapshots) {
      assert.equal(line.files.state, 'failed');
      assert.match(line.files.state === 'failed' ? line.files.reason : '', /whole machine/);
    }
    assert.throws(() => files.kept(1n), /because it failed: .*whole machine/);
  });

  slowTest(`agree with each other after a kill at any moment, ${KILLS} times`, async function () {
    this.timeout(KILLS * 30_000);
    for (let run = 0; run < KILLS; run++) {
      const launched = await launch(['/bin/sh', '-c', 'sleep 60']);
      const client = await RecorderClient.connect(launched.hostSocket);
      const answers: SnapshotLine[] = [];
      const asking = (async () => {
        for (let turn = 0; ; turn++) {
          writeFileSync(path.join(workspace.path, 'a.txt'), `${run} ${turn}\n`);
          const line = await client.snapshot({ label: `${turn}`, kind: 'auto', trigger: 'tool' });
          if (line) answers.push(line);
        }
      })().catch(() => {});
      await sleep(100 + ((run * 73) % 500));
      await sandbox.current.killRecorders();
      await asking;
      await markInterrupted(sandbox.current.catalogue);
      const session = await launched.session();
      assert.equal(session.meta.state, 'interrupted');
      const files = await SessionFiles.open(session);
      await assertAgreement(launched.recording, files);
      for (const { id, files: kept } of answers)
        if (kept.state === 'kept') assert.equal(files.kept(id).ref, kept.ref);
      await files.dispose();
    }
    // Pruning removes only the remains of killed snapshots, never one that a session lists.
    const before = await keptRefs();
    const pruned = await ah('agent', 'fs', 'prune', '--json');
    assert.equal(pruned.exitCode, 0, pruned.stderr);
    assert.deepEqual(await keptRefs(), before);
    await userGit(workspace.path, 'fsck', '--strict');
  });

  it('can be listed, compared, shown, exported, restored and pinned with the CLI', async function () {
    this.timeout(120_000);
    mkdirSync(path.join(workspace.path, 'hollow'));
    const change = [
      'echo two > a.txt && ln -s a.txt link',
      'mkdir new && echo x > new/b && chmod +x new/b',
      'rmdir hollow && mkdir -p other/hollow',
    ].join('; ');
    await ah('agent', 'record', '--', '/bin/sh', '-c', `${untilKept('start')}; ${change}`);
    await sandbox.current.settled();
    const out = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await ah('agent', 'fs', ...args);
      assert.equal(exitCode, 0, stderr);
      return stdout.toString();
    };
    assert.match(await out('list'), /1 .*Session start\n2 .*Session end/);
    assert.equal(await out('diff', '1', '2'), 'M  a.txt\nA  link\nA  new/b\n');
    assert.match(await out('diff', '-p', '1', '2'), /-one\n\+two/);
    assert.equal(await out('changes'), 'M  a.txt\nA  link\nA  new/b\n');
    assert.match(await out('changes', '2', '-p'), /-one\n\+two/);
    assert.equal(await out('show', '1', 'a.txt'), 'one\n');
    assert.equal(await out('show', '2', 'new'), 'b\n');
    const target = path.join(sandbox.current.folder, 'exported');
    assert.match(await out('export', '2', target), /3 files written/);
    assert.deepEqual(readdirSync(path.join(target, 'other/hollow')), []);
    assert.equal(readFileSync(path.join(target, 'link'), 'utf8'), 'two\n');
    assert.match(await out('pin', '1'), /is pinned/);
    assert.match(await out('list'), /1 \(pinned\)/);
    const planned = 'M  a.txt\nA  hollow/\nD  link\nD  new/b\nD  other/hollow/\n';
    assert.equal(await out('restore', '1', '--dry-run'), planned);
    assert.match(await out('restore', '1', '--yes'), /Restored 3 files and 2 empty folders/);
    assert.equal(await out('diff', '1'), '');
    const names = () => readdirSync(workspace.path).sort();
    assert.deepEqual(names(), ['.git', 'a.txt', 'hollow']);
    assert.equal(lstatSync(path.join(workspace.path, 'hollow')).mode & 0o777, 0o755);
    assert.match(await out('restore', '--undo', '--yes'), /Restored 3 files and 2 empty folders/);
    assert.equal(await out('diff', '2'), '');
    assert.deepEqual(names(), ['.git', 'a.txt', 'link', 'new', 'other']);
    const status = await out('status');
    assert.match(status, /are stored with git/);
    // The start, the end, and the two snapshots taken before a restore.
    assert.match(status, /\n[34] snapshots, [\d.]+ k?B \(limit 10\.0 GB/);
    assert.match(status, /\n\d{8}-\d{6}-\w{6} +2 +\d+/);
    for (const [args, message] of [
      [['show', '9', 'a.txt'], /no snapshot 9/],
      [['show', '1', 'nothing'], /nothing/],
      [['diff', 'x'], /number of a snapshot/],
      [['export', '1', target], /already exists/],
      [['restore'], /Name a snapshot/],
      [['changes', '1'], /is the first of its session/],
      [['changes', '9'], /no snapshot 9/],
      [['list', '--session', 'zzz'], /no session/],
    ] as const) {
      const { exitCode, stderr } = await ah('agent', 'fs', ...args);
      assert.notEqual(exitCode, 0);
      assert.match(stderr, message);
    }
  });

  it('expire by age and size unless they are pinned, shown as a folder, or the last', async function () {
    this.timeout(120_000);
    const fs = `${process.execPath} ${cliFile} agent fs`;
    const noise = (name: string) => `head -c 300000 /dev/urandom > ${name}`;
    const change = (name: string) => `${noise(name)}; ${fs} snapshot --label ${name}; rm ${name}`;
    const script = [untilKept('start'), ...['b', 'c', 'd', 'e'].map(change)].join('; ');
    await ah('agent', 'record', '--', '/bin/sh', '-c', script);
    await sandbox.current.settled();
    const [session] = await sandbox.current.catalogue.list();
    const files = await SessionFiles.open(session!);
    const idOf = (label: string) => files.snapshots.find((each) => each.label === label)!.id;
    await ah('agent', 'fs', 'pin', String(idOf('c')));
    const sessionFolder = session!.folder;
    await noteOpened({ sessionFolder, id: idOf('d'), address: 'ah-snapshot://x' });
    const prune = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await ah('agent', 'fs', 'prune', '--json', ...args);
      assert.equal(exitCode, 0, stderr);
      const [plan] = JSON.parse(stdout.toString()) as PruneResult[];
      return { ...plan!, ids: plan!.expired.map(({ id }) => BigInt(id)) };
    };
    const dry = await prune('--max-gigabytes', '0.00115', '--dry-run');
    assert.deepEqual(dry.ids, [1n, idOf('b')], 'the oldest, until there is room');
    const sizes = `${dry.freedBytes} of ${dry.totalBytes}`;
    assert.ok(dry.totalBytes > 1_200_000 && dry.freedBytes > 290_000, sizes);
    const all = await prune('--max-age-days', '0.0000001');
    assert.deepEqual(all.ids, [1n, idOf('b'), idOf('e')]);
    await files.refresh();
    const left = files.snapshots.filter((each) => each.files.state === 'kept');
    assert.deepEqual(
      left.map(({ label }) => label),
      ['c', 'd', 'Session end'],
    );
    for (const { id } of left) await (await files.tree(id)).list('');
    await forgetOpened({ sessionFolder, id: idOf('d') });
    assert.deepEqual((await prune('--max-age-days', '0.0000001')).ids, [idOf('d')]);
    await files.dispose();
  });

  it('show permission changes before a restore', async () => {
    const file = path.join(workspace.path, 'a.txt');
    chmodSync(file, 0o640);
    await ah('agent', 'record', '--', '/bin/sh', '-c', untilKept('start'));
    await sandbox.current.settled();
    chmodSync(file, 0o755);
    const { stdout } = await ah('agent', 'fs', 'restore', '1', '--dry-run');
    assert.equal(stdout.toString(), 'M  a.txt (permissions 755 → 640)\n');
  });

  it('never make a restore delete or overwrite files that are in no snapshot', async () => {
    await ah('agent', 'record', '--', '/bin/sh', '-c', `${untilKept('start')}; echo two > a.txt`);
    await sandbox.current.settled();
    writeFileSync(path.join(workspace.path, '.gitignore'), 'ignored\n');
    writeFileSync(path.join(workspace.path, 'ignored'), 'precious\n');
    mkdirSync(path.join(workspace.path, 'later'));
    writeFileSync(path.join(workspace.path, 'later/file'), 'also precious\n');
    const { exitCode, stderr } = await ah('agent', 'fs', 'restore', '1', '--yes');
    assert.equal(exitCode, 0, stderr);
    assert.equal(readFileSync(path.join(workspace.path, 'ignored'), 'utf8'), 'precious\n');
    assert.equal(readFileSync(path.join(workspace.path, 'a.txt'), 'utf8'), 'one\n');
    // The snapshot taken just before the restore has this file, so the undo restores the file.
    await ah('agent', 'fs', 'restore', '--undo', '--yes');
    assert.equal(readFileSync(path.join(workspace.path, 'later/file'), 'utf8'), 'also precious\n');
    // The snapshot taken just before the restore has this file too, so the undo keeps it.
    assert.equal(readFileSync(path.join(workspace.path, 'ignored'), 'utf8'), 'precious\n');
  });

  function ah(...args: string[]) {
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1' };
    const child = spawn(process.execPath, [cliFile, ...args], {
      env,
      cwd: workspace.path,
      stdio: 'pipe',
    });
    child.stdin.end();
    return collect(child);
  }

  function launch(command: string[], options = {}): Promise<LaunchedSession> {
    const cwd = workspace.path;
    return sandbox.current.launch(command, { cwd, workspace: cwd, ...options });
  }

  async function keptRefs(): Promise<string[]> {
    const sessions = await sandbox.current.catalogue.list();
    const all = await Promise.all(sessions.map((session) => SessionFiles.open(session)));
    return all.flatMap(({ snapshots }) =>
      snapshots.flatMap(({ files }) => (files.state === 'kept' ? [files.ref] : [])),
    );
  }
});

async function contentOf(files: SessionFiles, id: bigint, name = 'a.txt'): Promise<string> {
  return Buffer.from(await (await files.tree(id)).read(name)).toString();
}
