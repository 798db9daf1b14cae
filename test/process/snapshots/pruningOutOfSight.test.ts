import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { DeletedSessions } from '../../../src/sessions/node/deletedSessions.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { openExistingProviders } from '../../../src/snapshots/node/open/openProviders.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { planPruning } from '../../../src/snapshots/node/prune/planPruning.ts';
import { prune } from '../../../src/snapshots/node/prune/pruneSnapshots.ts';
import {
  DEFAULT_RETENTION,
  type RetentionPolicy,
} from '../../../src/snapshots/common/retention.ts';
import type { ProviderName } from '../../../src/snapshots/common/provider.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const HOUR_MS = 3_600_000;

describe('pruning snapshots without a present session or provider', function () {
  this.timeout(120_000);
  const disk = useBtrfsDisk({ sizeMib: 512 });
  const sandbox = useSandbox();
  const elsewhere = useTemporaryFolder();

  /** A session with a snapshot after each of these contents was written. */
  async function session(
    workspace: string,
    words: readonly string[],
    provider?: ProviderName,
  ): Promise<SessionFiles> {
    const steps = words.map((word) => () => fs.writeFileSync(`${workspace}/word`, word));
    const options = { steps, ...(provider && { provider }) };
    const files = await placeBranchable(sandbox.current, workspace, options);
    await files.dispose();
    return files;
  }
  async function pruneAll(files: SessionFiles, policy: Partial<RetentionPolicy> = {}) {
    const nowMs = Number(files.snapshots.at(-1)!.tsNs / 1_000_000n) + HOUR_MS;
    const all = { ...DEFAULT_RETENTION, ...policy };
    const onSkip = (_: string, error: unknown) => assert.ifError(error);
    const done = [];
    const sources = { catalogue: sandbox.current.catalogue, branches: new BranchRegistry() };
    for (const plan of await planPruning(sources, all, onSkip, nowMs)) {
      done.push(await prune(plan));
      plan.dispose();
    }
    return done;
  }
  const states = async (files: SessionFiles) => {
    await files.refresh();
    return files.snapshots.map((line) => line.files.state);
  };
  const kept = async (workspace: string) => {
    const { providers } = await openExistingProviders(workspace);
    const counts: Partial<Record<ProviderName, number>> = {};
    for (const provider of providers) {
      counts[provider.name] = (await provider.list()).length;
      provider.dispose();
    }
    return counts;
  };
  const removeForGood = async (files: SessionFiles) => {
    const deleted = new DeletedSessions(sandbox.current.catalogue);
    await deleted.add(files.session);
    await deleted.purge(files.session.meta.id);
  };

  it('includes those of a provider that is no longer preferred', async () => {
    const workspace = disk.current.folderOf('home/project');
    const former = await session(workspace, ['one', 'two', 'three'], 'git');
    const present = await session(workspace, ['four', 'five']);
    assert.deepEqual(await kept(workspace), { git: 3, btrfs: 2 });
    const { stdout } = await sandbox.current.run('agent', 'fs', 'status', workspace, '--json');
    const status = JSON.parse(String(stdout)) as Record<string, unknown>;
    assert.deepEqual([status['provider'], status['count']], ['btrfs', 5]);
    assert.equal((status['sessions'] as unknown[]).length, 2);

    const [done, ...others] = await pruneAll(present, { maxCount: 1 });
    assert.deepEqual(others, [], 'one plan for the folder, for all its providers');
    assert.equal(done!.expired.length, 3);
    assert.deepEqual(await states(former), ['removed', 'removed', 'kept']);
    assert.deepEqual(await states(present), ['removed', 'kept']);
    assert.deepEqual(await kept(workspace), { git: 1, btrfs: 1 });
  });

  it('counts them towards the limit of the folder, not of each provider', async () => {
    const workspace = disk.current.folderOf('home/project');
    const noise = () => randomBytes(100_000).toString('base64');
    await session(workspace, [noise(), noise(), noise()], 'git');
    const present = await session(workspace, ['four', 'five']);
    const [all] = await pruneAll(present);
    const maxBytes = all!.totalBytes / 2;
    const [done] = await pruneAll(present, { maxBytes });
    assert.ok(all!.totalBytes > 300_000, `${all!.totalBytes} bytes`);
    assert.ok(done!.totalBytes - done!.freedBytes <= maxBytes, `${done!.freedBytes} bytes`);
    assert.ok((await kept(workspace)).git! < 3);
  });

  it('counts data that several snapshots share and the folder no longer has', async () => {
    const workspace = disk.current.folderOf('home/project');
    const large = `${workspace}/large`;
    const word = (text: string) => fs.writeFileSync(`${workspace}/word`, text);
    const steps = [
      () => fs.writeFileSync(large, randomBytes(5_000_000)),
      () => word('two'),
      () => fs.rmSync(large),
      () => word('four'),
    ];
    const files = await placeBranchable(sandbox.current, workspace, { steps });
    await files.dispose();
    const [done] = await pruneAll(files, { maxBytes: 1_000_000 });
    assert.ok(done!.totalBytes >= 5_000_000, `${done!.totalBytes} bytes`);
    assert.ok(done!.freedBytes >= 5_000_000, `${done!.freedBytes} bytes`);
    assert.deepEqual(await states(files), ['removed', 'removed', 'kept', 'kept']);
  });

  for (const kind of ['folder', 'subvolume'] as const) {
    it(`includes those of a deleted ${kind}, and forgets it with its last session`, async () => {
      const home = disk.current.subvolume('home');
      const workspace = kind === 'folder' ? `${home}/a/project` : `${home}/project`;
      if (kind === 'folder') disk.current.folderOf('home/a/project');
      else disk.current.subvolume('home/project');
      const files = await session(workspace, ['one', 'two', 'three']);
      if (kind === 'folder') fs.rmSync(`${home}/a`, { recursive: true });
      else execFileSync('btrfs', ['subvolume', 'delete', workspace], { stdio: 'ignore' });
      assert.deepEqual(await kept(workspace), { btrfs: 3 });
      await pruneAll(files, { maxCount: 1 });
      assert.deepEqual(await states(files), ['removed', 'removed', 'kept']);
      assert.deepEqual(await kept(workspace), { btrfs: 1 });

      await removeForGood(files);
      await pruneAll(files);
      const left = disk.current.subvolumes().filter((name) => name.endsWith('/files'));
      assert.deepEqual(left, []);
      const notes = path.join(sandbox.current.folder, 'snapshots/workspaces');
      assert.deepEqual(fs.readdirSync(notes), []);
    });
  }

  for (const provider of ['btrfs', 'git'] as const) {
    it(`includes those with ${provider} whose sessions are all deleted`, async () => {
      const workspace = disk.current.folderOf('home/project');
      const files = await session(workspace, ['one', 'two'], provider);
      await pruneAll(files);
      assert.deepEqual((await kept(workspace))[provider], 2);
      await removeForGood(files);
      const [done] = await pruneAll(files);
      assert.equal(done!.garbage.length, 2);
      assert.deepEqual((await kept(workspace))[provider], 0);
      fs.rmSync(workspace, { recursive: true });
      await pruneAll(files);
      const data = path.join(sandbox.current.folder, 'snapshots');
      const stores = fs.readdirSync(data).filter((name) => name.startsWith('project-'));
      assert.deepEqual(stores, [], 'nor is the empty store left of a folder that is gone');
    });
  }

  it('keeps snapshots of a session that reached the folder through a link which now leads elsewhere', async () => {
    const workspace = disk.current.folderOf('home/project');
    const link = path.join(elsewhere.path, 'link');
    fs.symlinkSync(workspace, link);
    const files = await session(link, ['one', 'two']);
    fs.unlinkSync(link);
    fs.symlinkSync(disk.current.folderOf('home/other'), link);
    await pruneAll(files);
    assert.deepEqual(await kept(workspace), { btrfs: 2 });
  });
});
