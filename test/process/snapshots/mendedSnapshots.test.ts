import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { writeSessionMeta, type SessionMeta } from '../../../src/sessions/node/sessionMeta.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { planPruning } from '../../../src/snapshots/node/prune/planPruning.ts';
import { prune } from '../../../src/snapshots/node/prune/pruneSnapshots.ts';
import { SNAPSHOTS_FILE } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { DEFAULT_RETENTION } from '../../../src/snapshots/common/retention.ts';
import { encodeSnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';
import type { ProviderName } from '../../../src/snapshots/common/provider.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { output, write } from '../../support/recording/recordings.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const { signal } = new AbortController();
/** Larger than any process ID. */
const NO_PROCESS = 2 ** 22 + 1;
const HOUR_MS = 3_600_000;

/** How far the recorder got with its last snapshot: it wrote a pending line, or only the record. */
type Left = 'a line that is not complete' | 'no line';

describe('a snapshot whose recorder was killed before it wrote the result', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const searched = process.env['PATH'];
  const opened: SessionFiles[] = [];
  let workspace: string;

  beforeEach(async () => {
    workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
  });
  afterEach(async () => {
    process.env['PATH'] = searched;
    for (const files of opened.splice(0)) await files.dispose();
  });

  const put = (word: string) => writeFileSync(path.join(workspace, 'word'), word);
  async function finished(provider?: ProviderName): Promise<SessionFiles> {
    const steps = [() => put('one'), () => put('two')];
    const options = { steps, ...(provider && { provider }) };
    const files = await placeBranchable(sandbox.current, workspace, options);
    opened.push(files);
    return files;
  }
  /** A session with two snapshots whose recorder was killed during the second. */
  async function killed(
    left: Left,
    state: SessionMeta['state'] = 'interrupted',
  ): Promise<SessionFiles> {
    const files = await finished();
    const { folder, meta } = files.session;
    const [first, second] = [files.find(1n), files.find(2n)];
    const records = [first, second].map(({ id, tsNs, label }) => ({
      kind: 'snapshot' as const,
      snapshotId: id,
      tsNs,
      label,
      anchorByte: 100,
    }));
    writeFileSync(meta.recording, (await write([...output(100, 100), ...records])).bytes);
    const lines = left === 'no line' ? [first] : [first, { ...second, files: PENDING }];
    const text = lines.map((line) => `${encodeSnapshotLine(line)}\n`).join('');
    writeFileSync(path.join(folder, SNAPSHOTS_FILE), text);
    await writeSessionMeta(folder, { ...meta, state, host: { ...meta.host, pid: NO_PROCESS } });
    return files;
  }
  const PENDING = { state: 'pending' } as const;

  async function open({ session }: SessionFiles): Promise<SessionFiles> {
    const files = await SessionFiles.open(await sandbox.current.catalogue.get(session.meta.id));
    opened.push(files);
    return files;
  }
  const linesOf = ({ session }: SessionFiles) =>
    readFileSync(path.join(session.folder, SNAPSHOTS_FILE), 'utf8');
  async function assertFound(former: SessionFiles): Promise<void> {
    const files = await open(former);
    assert.equal(files.kept(2n).ref, former.kept(2n).ref);
    const content = await (await files.tree(2n)).read('word');
    assert.equal(Buffer.from(content).toString(), 'two');
  }
  async function pruneAll(files: SessionFiles): Promise<string[]> {
    const nowMs = Number(files.find(1n).tsNs / 1_000_000n) + HOUR_MS;
    const onSkip = (_: string, error: unknown) => assert.ifError(error);
    const { catalogue } = sandbox.current;
    const garbage: string[] = [];
    const sources = { catalogue, branches: new BranchRegistry() };
    for (const plan of await planPruning(sources, DEFAULT_RETENTION, onSkip, nowMs)) {
      const done = await prune(plan);
      plan.dispose();
      assert.deepEqual(done.garbage, plan.garbage);
      garbage.push(...done.garbage.map(({ ref }) => ref));
    }
    return garbage;
  }
  /** Prunes with the CLI, which must remove nothing. */
  async function garbageShown(): Promise<number> {
    const { stdout } = await sandbox.current.run('agent', 'fs', 'prune', '--dry-run', '--json');
    const [plan] = JSON.parse(String(stdout)) as { garbage: number }[];
    return plan!.garbage;
  }

  for (const left of ['a line that is not complete', 'no line'] as const) {
    it(`is found later if git was not available at first, with ${left}`, async () => {
      const former = await killed(left);
      const before = linesOf(former);
      process.env['PATH'] = place.path;
      const files = await open(former);
      assert.throws(() => files.kept(2n), {
        code: left === 'no line' ? 'no-snapshot' : 'no-files',
      });
      process.env['PATH'] = searched;
      assert.equal(linesOf(former), before, 'nothing is said that is not known');
      await assertFound(former);
    });

    for (const state of ['interrupted', 'running'] as const)
      it(`is not garbage before the session is opened, with ${left} of a session in state ${state}`, async () => {
        const former = await killed(left, state);
        const before = linesOf(former);
        assert.deepEqual(await pruneAll(former), []);
        assert.equal(linesOf(former), before);
        const { folder, meta } = former.session;
        await writeSessionMeta(folder, { ...meta, state: 'interrupted' });
        await assertFound(former);
      });
  }

  it('is found by a process that asked before git was available again', async () => {
    const former = await killed('a line that is not complete');
    process.env['PATH'] = place.path;
    const files = await open(former);
    assert.throws(() => files.kept(2n), /Can't tell whether snapshot 2 has files/);
    process.env['PATH'] = searched;
    await files.refresh();
    assert.equal(files.kept(2n).ref, former.kept(2n).ref);
    await (await files.tree(2n)).list('');
  });

  it('is not garbage if the rest of its session has ended, and is found', async () => {
    const former = await killed('a line that is not complete', 'finished');
    assert.deepEqual(await pruneAll(former), []);
    await assertFound(former);
  });

  it('is garbage if it is in no recording, once the others are found', async () => {
    const former = await killed('no line');
    put('three');
    const name = `${former.session.meta.id}-3`;
    const { ref } = await (await former.provider()).take({ name, label: '', signal });
    assert.equal(await garbageShown(), 0);
    assert.deepEqual(await pruneAll(former), []);
    await assertFound(former);
    assert.equal(await garbageShown(), 1);
    assert.deepEqual(await pruneAll(former), [ref]);
    await assertFound(former);
  });

  it('counts as failed if the provider does not have it', async () => {
    const former = await killed('no line');
    await (await former.provider()).remove([former.kept(2n).ref]);
    const files = await open(former);
    assert.throws(() => files.kept(2n), /The recorder was killed while it took the snapshot/);
  });

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 256 });
    beforeEach(() => {
      workspace = disk.current.folderOf('project');
    });

    it('is found when the disk is available again, whichever provider was asked meanwhile', async () => {
      await finished('git');
      const former = await killed('a line that is not complete');
      assert.equal(former.kept(2n).provider, 'btrfs');
      const before = linesOf(former);
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk.current.folder]);
      try {
        const files = await open(former);
        assert.equal(
          (await files.provider()).name,
          'git',
          'which has snapshots of the folder, too',
        );
        assert.throws(() => files.kept(2n), /Can't tell whether snapshot 2 has files/);
      } finally {
        execFileSync('umount', [disk.current.folder]);
      }
      assert.equal(linesOf(former), before);
      await assertFound(former);
    });
  });
});
