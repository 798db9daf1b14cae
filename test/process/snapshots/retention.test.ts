import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { writeSessionMeta } from '../../../src/sessions/node/sessionMeta.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { planPruning } from '../../../src/snapshots/node/prune/planPruning.ts';
import { keepPresent } from '../../../src/snapshots/node/restore/restoreWorkspace.ts';
import { DEFAULT_RETENTION } from '../../../src/snapshots/common/retention.ts';
import {
  cliFile,
  collect,
  outputOf,
  readRecording,
  type LaunchedSession,
} from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { untilKept } from '../../support/processes/shellScripts.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const DAY_NS = 86_400_000_000_000n;

describe('retention of recordings and snapshots', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  beforeEach(() => {
    // This process reads the snapshots, too.
    process.env['AH_DATA_DIR'] = sandbox.current.folder;
  });

  /** A session that ended some days ago. */
  async function recorded(
    word: string,
    daysAgo: bigint,
    folder = workspace.path,
  ): Promise<LaunchedSession> {
    // The recorder takes one snapshot before the change and one after it.
    const script = `${untilKept('start')}; echo ${word} > word.txt; echo ${word}`;
    const session = await sandbox.current.launch(['/bin/sh', '-c', script], {
      cwd: folder,
      workspace: folder,
    });
    await sandbox.current.settled(60_000);
    const { meta, folder: place } = await session.session();
    const endedAtNs = meta.endedAtNs! - daysAgo * DAY_NS;
    await writeSessionMeta(place, { ...meta, endedAtNs });
    return session;
  }
  async function keptOf(session: LaunchedSession): Promise<number> {
    const files = await SessionFiles.open(await session.session());
    await files.dispose();
    return files.snapshots.filter((each) => each.files.state === 'kept').length;
  }
  async function ah(...args: string[]): Promise<string> {
    // By default, snapshots of the current workspace are pruned.
    const cwd = existsSync(workspace.path) ? workspace.path : sandbox.current.folder;
    const options = { cwd, env: sandbox.current.env };
    const child = spawn(process.execPath, [cliFile, ...args], options);
    const { exitCode, stdout, stderr } = await collect(child);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    return stdout.toString();
  }

  it('treats all names of a folder as one', async () => {
    await userGit(workspace.path, 'init', '-q');
    const link = `${sandbox.current.folder}/link`;
    symlinkSync(workspace.path, link);
    const plain = await recorded('plain', 0n);
    const linked = await recorded('linked', 0n, link);
    assert.match(await ah('agent', 'fs', 'prune'), /^\S+: 0 snapshots deleted \([^)]*\)\n$/);
    for (const session of [plain, linked]) {
      const files = await SessionFiles.open(await session.session());
      for (const { id } of files.snapshots) await (await files.tree(id)).list('');
      await files.dispose();
    }
    assert.match(await ah('agent', 'fs', 'status'), /\n\S+ +\d+ .*\n\S+ +\d+ /, 'costs of both');
    const list = await ah('agent', 'fs', 'list');
    assert.equal(
      list,
      await ah('agent', 'fs', 'list', '--session', (await linked.session()).meta.id),
    );
  });

  it('removes leftovers of interruptions, but not what a restore is about to need', async () => {
    await userGit(workspace.path, 'init', '-q');
    const session = await recorded('word', 0n);
    const files = await SessionFiles.open(await session.session());
    const { signal } = new AbortController();
    const provider = await files.provider();
    const left = await provider.list();
    writeFileSync(`${workspace.path}/word.txt`, 'unknown');
    await provider.take({ name: 'nobody-knows', label: '', signal });
    writeFileSync(`${workspace.path}/word.txt`, 'replaced');
    const { ref } = await keepPresent(files, 'a test', signal);
    assert.match(await ah('agent', 'fs', 'prune', '--dry-run'), /, and 1 leftover/);
    assert.equal((await provider.list()).length, left.length + 2);
    await ah('agent', 'fs', 'prune');
    assert.deepEqual([...(await provider.list())].sort(), [...left, ref].sort());
    await files.dispose();
    const moreThanADay = 25 * 3_600_000;
    const plans = await planPruning(
      { catalogue: sandbox.current.catalogue, branches: new BranchRegistry() },
      DEFAULT_RETENTION,
      assert.ifError,
      Date.now() + moreThanADay,
    );
    assert.deepEqual(
      plans.flatMap(({ garbage }) => garbage.map((held) => held.ref)),
      [ref],
      'it was not replaced',
    );
    for (const plan of plans) plan.dispose();
  });

  it('applies to a deleted folder too', async () => {
    await userGit(workspace.path, 'init', '-q');
    const session = await recorded('word', 0n);
    assert.ok((await keptOf(session)) > 1);
    rmSync(workspace.path, { recursive: true });
    const [line] = (await ah('agent', 'fs', 'prune', '--max-age-days', '0.0000001')).split('\n');
    assert.match(line!, /: 1 snapshot deleted/);
    assert.equal(await keptOf(session), 1, 'the newest stays');
  });

  it('applies separate limits to both', async () => {
    await userGit(workspace.path, 'init', '-q');
    const old = await recorded('old', 40n);
    const young = await recorded('young', 10n);
    const before = await keptOf(young);
    assert.ok((await keptOf(old)) > 1 && before > 1);

    assert.match(
      await ah('agent', 'prune', '--keep-days', '30', '--dry-run'),
      /echo old > .*\n1 session would be deleted\./,
    );
    assert.ok(existsSync(old.recording), 'nothing went');
    await ah('agent', 'prune', '--keep-days', '30');
    assert.ok(!existsSync(old.folder));
    assert.equal(await keptOf(young), before, 'snapshots are not touched by it');

    await ah('agent', 'fs', 'prune', '--max-age-days', '0.0000001');
    assert.equal(await keptOf(young), 1, 'the newest stays');
    const { records } = await readRecording(young.recording);
    assert.equal(outputOf(records).toString(), 'young\r\n', 'the recording is');
    assert.match(await ah('agent', 'prune', '--keep-days', '30'), /0 sessions deleted\./);
  });
});
