import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { markInterrupted } from '../../../src/sessions/node/liveness.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import {
  isUnverified,
  NEVER_VERIFIED,
  verifiedLine,
} from '../../../src/snapshots/common/verifiedLine.ts';
import type { SnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';
import { encodeSnapshotNotice } from '../../mockAgent/ipc/snapshotNotice.ts';
import { cliFile, collect, until, type LaunchedSession } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { assertAgreement } from '../../support/git/snapshotAgreement.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { slowTest } from '../../support/tiers.ts';
import { isSoak } from '../../support/soak.ts';

const killer = path.resolve(import.meta.dirname, '../../support/processes/killBefore.cjs');

interface Kill {
  readonly match: string;
  readonly skip?: number;
  readonly half?: boolean;
  readonly slow?: { readonly match: string; readonly ms: number };
}

/**
 * What must be left of the interrupted snapshot: no trace, its files, or the reason why there are
 * none.
 */
type Left = 'nothing' | 'kept' | 'failed' | 'elsewhere';

const RECORD = 'session\\.ahr$';
const LINE = 'session\\.snapshots\\.jsonl$';
const REFERENCE = 'rename .*refs/snapshots/';
const SUBVOLUME = 'spawn btrfs subvolume snapshot';
/** Longer than an agent waits: the answer comes before the files. */
const LATE = { slow: { match: 'symlink \\S+ .*/lock\\.', ms: 1500 } };

const IN_TIME: readonly [where: string, kill: Kill, left: Left][] = [
  ['before the provider has it', { match: REFERENCE }, 'nothing'],
  ['when the provider has it', { match: 'rename .*state\\.json$' }, 'nothing'],
  ['before the record', { match: `write .*${RECORD}` }, 'nothing'],
  ['in the middle of the record', { match: `write .*${RECORD}`, half: true }, 'nothing'],
  ['before the record is safe', { match: `sync .*${RECORD}` }, 'kept'],
  ['before the line', { match: `write .*${LINE}` }, 'kept'],
  ['in the middle of the line', { match: `write .*${LINE}`, half: true }, 'kept'],
  ['before the line is safe', { match: `sync .*${LINE}` }, 'kept'],
  ['before the answer', { match: '^answer' }, 'kept'],
];

const BEHIND: readonly [where: string, kill: Kill, left: Left][] = [
  ['before the provider has it', { ...LATE, match: REFERENCE }, 'failed'],
  ['before the second line', { ...LATE, match: `write .*${LINE}`, skip: 1 }, 'kept'],
  [
    'in the middle of the second line',
    { ...LATE, match: `write .*${LINE}`, skip: 1, half: true },
    'kept',
  ],
];

describe('a recorder killed in the middle of a snapshot', function () {
  this.timeout(240_000);
  const sandbox = useSandbox();
  const folder = useTemporaryFolder();
  let workspace = '';

  afterEach(() => {
    for (const name of ['NODE_OPTIONS', 'AH_KILL_PLAN']) delete process.env[name];
  });

  async function makeRepository(place: string): Promise<void> {
    workspace = place;
    await userGit(workspace, 'init', '-q');
    put('a.txt', 'one\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'one');
  }

  function put(name: string, content: string): void {
    writeFileSync(path.join(workspace, name), content);
  }

  /** A recorder that can be killed at a given point, with one completed snapshot. */
  async function launch(command = 'sleep 60'): Promise<LaunchedSession & { first: SnapshotLine }> {
    process.env['AH_KILL_PLAN'] = path.join(sandbox.current.folder, 'plan');
    process.env['NODE_OPTIONS'] = `--require ${killer}`;
    const place = { cwd: workspace, workspace };
    const launched = await sandbox.current.launch(['/bin/sh', '-c', command], place);
    delete process.env['NODE_OPTIONS'];
    const client = await RecorderClient.connect(launched.hostSocket);
    put('a.txt', `before ${launched.id}\n`);
    const first = await client.snapshot({ label: 'first', kind: 'manual', trigger: 'manual' });
    client.dispose();
    assert.equal(first?.files.state, 'kept');
    return { ...launched, first };
  }

  function arm(kill: Kill): void {
    const log = path.join(sandbox.current.folder, 'log');
    writeFileSync(process.env['AH_KILL_PLAN']!, JSON.stringify({ ...kill, log }));
  }

  async function dead(launched: LaunchedSession): Promise<void> {
    const { pid } = (await launched.session()).meta.host;
    // Wait until the system no longer lists the process: until then, it counts as alive.
    await until(() => !existsSync(`/proc/${pid}`), 'the kill', 60_000);
    rmSync(process.env['AH_KILL_PLAN']!);
  }

  /**
   * Takes one more snapshot, during which the recorder dies.
   * @returns the answer, if there was one
   */
  async function takeAndDie(
    launched: LaunchedSession,
    kill: Kill,
    trigger: 'manual' | 'tool',
  ): Promise<SnapshotLine | undefined> {
    const client = await RecorderClient.connect(launched.hostSocket);
    put('a.txt', 'victim\n');
    arm(kill);
    const kind = trigger === 'tool' ? 'auto' : 'manual';
    const answer = await client.snapshot({ label: 'victim', kind, trigger }).catch(() => undefined);
    await dead(launched);
    client.dispose();
    return answer;
  }

  /** Checks that recording, list and provider agree, and that unknown references can be removed. */
  async function check(
    launched: LaunchedSession & { first: SnapshotLine },
    answer: SnapshotLine | undefined,
    left: Left,
    label = 'victim',
  ): Promise<void> {
    await markInterrupted(sandbox.current.catalogue);
    const files = await SessionFiles.open(await launched.session());
    await assertAgreement(launched.recording, files);
    assert.deepEqual(files.find(launched.first.id), afterKill(launched.first), 'answered before');
    const victim = files.snapshots.find((line) => line.label === label);
    assert.equal(victim?.files.state ?? 'nothing', left);
    if (answer) assert.deepEqual([victim?.id, victim?.tsNs], [answer.id, answer.tsNs]);
    if (answer?.files.state === 'kept') assert.deepEqual(victim, afterKill(answer));
    if (victim?.files.state === 'failed')
      assert.equal(victim.files.reason, 'The recorder was killed while it took the snapshot.');
    if (victim?.files.state === 'kept') {
      const content = await (await files.tree(victim.id)).read('a.txt');
      assert.equal(Buffer.from(content).toString(), 'victim\n');
    }
    const known = files.snapshots.flatMap((line) =>
      line.files.state === 'kept' ? [line.files.ref] : [],
    );
    const pruned = await ah('agent', 'fs', 'prune', '--json');
    assert.equal(pruned.exitCode, 0, pruned.stderr);
    const provider = await files.provider();
    assert.deepEqual([...(await provider.list())].sort(), [...new Set(known)].sort());
    await files.dispose();
    await userGit(workspace, 'fsck', '--strict');
  }

  function ah(...args: string[]) {
    const child = spawn(process.execPath, [cliFile, ...args], {
      env: sandbox.current.env,
      cwd: workspace,
      stdio: 'pipe',
    });
    child.stdin.end();
    return collect(child);
  }

  describe('with git', () => {
    beforeEach(() => makeRepository(folder.path));

    for (const [where, kill, left] of IN_TIME) {
      it(`${where}: ${left}`, async () => {
        const launched = await launch();
        await check(launched, await takeAndDie(launched, kill, 'manual'), left);
      });
    }

    for (const [where, kill, left] of BEHIND) {
      it(`after the agent continued, ${where}: ${left}`, async () => {
        const launched = await launch();
        const answer = await takeAndDie(launched, kill, 'tool');
        assert.equal(answer?.files.state, 'pending');
        await check(launched, answer, left);
      });
    }

    slowTest('after the program has ended and everything else is written', async () => {
      const launched = await launch('read line');
      put('a.txt', 'victim\n');
      arm({ match: REFERENCE, slow: { match: LATE.slow.match, ms: 6000 } });
      const client = await RecorderClient.connect(launched.hostSocket);
      client.input(Buffer.from('\n'));
      await dead(launched);
      assert.equal((await launched.session()).meta.state, 'finished');
      await check(launched, undefined, 'failed', 'Session end');
    });

    it('shared by two requests, between their lines', async () => {
      const launched = await launch();
      const client = await RecorderClient.connect(launched.hostSocket);
      put('a.txt', 'victim\n');
      arm({ match: `write .*${LINE}`, half: true });
      const ask = (label: string) =>
        client.snapshot({ label, kind: 'manual', trigger: 'manual' }).catch(() => undefined);
      const [answer] = await Promise.all([ask('victim'), ask('other')]);
      await dead(launched);
      await check(launched, answer, 'kept');
    });

    for (const match of [`write .*${LINE}`, '^answer'])
      it(`reported by another program, at ${match}`, async () => {
        const launched = await launch();
        arm({ match });
        const socket = connect((await launched.session()).meta.ipcSocket);
        socket.on('error', () => {});
        let answer = Buffer.alloc(0);
        socket.on('data', (chunk) => (answer = Buffer.concat([answer, chunk])));
        socket.write(encodeSnapshotNotice(77n, 'victim'));
        await dead(launched);
        assert.equal(answer.length, 0, 'nothing is promised');
        await check(launched, undefined, match === '^answer' ? 'elsewhere' : 'failed');
      });

    if (isSoak) {
      it('before each of its operations', async function () {
        this.timeout(3_600_000);
        let count = 0;
        for (; ; count++) {
          const launched = await launch();
          const client = await RecorderClient.connect(launched.hostSocket);
          put('a.txt', `victim\n`);
          arm({ match: '', skip: count });
          const request = { label: 'victim', kind: 'manual', trigger: 'manual' } as const;
          const answer = await client.snapshot(request).catch(() => undefined);
          client.dispose();
          const isOver = answer !== undefined && sandbox.current.recorders().length > 0;
          if (isOver) break;
          await dead(launched);
          await markInterrupted(sandbox.current.catalogue);
          const files = await SessionFiles.open(await launched.session());
          await assertAgreement(launched.recording, files);
          assert.deepEqual(files.find(launched.first.id), afterKill(launched.first));
          await files.dispose();
        }
        assert.ok(count > 20, `${count} things were done`);
        console.log(`      killed before each of ${count} things`);
      });
    }
  });

  describe('with Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 256 });
    beforeEach(() => makeRepository(disk.current.folderOf('project')));
    const after: Kill = { match: `write .*${RECORD}` };
    const cases: readonly [where: string, kill: Kill, left: Left][] = [
      ['before the subvolume', { match: SUBVOLUME }, 'nothing'],
      ['before the record', after, 'nothing'],
      ['before the line', { match: `write .*${LINE}` }, 'kept'],
    ];
    for (const [where, kill, left] of cases) {
      it(`${where}: ${left}`, async () => {
        const launched = await launch();
        assert.equal(
          launched.first.files.state === 'kept' && launched.first.files.provider,
          'btrfs',
        );
        await check(launched, await takeAndDie(launched, kill, 'manual'), left);
        assert.ok(existsSync(path.join(workspace, 'a.txt')));
      });
    }
  });
});

/** The line as the recorder's answer has it after the kill: no process will verify the snapshot. */
function afterKill(line: SnapshotLine): SnapshotLine {
  return isUnverified(line) ? verifiedLine(line, [NEVER_VERIFIED]) : line;
}
