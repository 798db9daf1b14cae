import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BranchRecord } from '../../../src/branching/common/branchRecord.ts';
import { relaunch } from '../../../src/branching/node/memory/agentMemory.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { prewarmFirstSnapshot } from '../../../src/branching/node/plan/prewarmFirstSnapshot.ts';
import { branchLaunchSpec } from '../../../src/branching/node/make/launchBranch.ts';
import { makeBranch } from '../../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../../src/branching/node/plan/planBranch.ts';
import { launchRecorder } from '../../../src/sessions/node/recorderLauncher.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { openSnapshotProvider } from '../../../src/snapshots/node/open/openProviders.ts';
import { preStartName, snapshotName } from '../../../src/snapshots/common/snapshotName.ts';
import { hostFile } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const { signal } = new AbortController();

describe('the files that a branch starts with', () => {
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  /** Starts a branch whose program runs after `meanwhile`. @returns the snapshots' references */
  async function startedBranch(meanwhile: (record: BranchRecord) => void | Promise<void>) {
    const workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const write = () => writeFileSync(path.join(workspace, 'a.txt'), 'one\n');
    const files = await placeBranchable(sandbox.current, workspace, {
      steps: [write],
      cmd: ['/bin/sh', '-c', 'sleep 0.2'],
    });
    const parts = { registry: new BranchRegistry(), memory: relaunch };
    const env = { PATH: process.env['PATH'] ?? '' };
    const at = { snapshotId: 1n };
    const request = { at, carried: [], carryMode: 'copy', env, signal } as const;
    const plan = await planBranch(files, request, parts);
    const record = await makeBranch(files, plan, parts, { signal, isWaiting: false });
    await files.dispose();
    await meanwhile(record);
    const spec = branchLaunchSpec(record, {
      sessionsFolder: path.join(sandbox.current.folder, 'sessions'),
      env,
      brotliQ: 4,
      keepsFiles: true,
      waitForClient: false,
    });
    await launchRecorder(hostFile, spec, { cols: 80, rows: 24 });
    await sandbox.current.settled();
    const provider = await openSnapshotProvider(record.workspace);
    const refs = await provider.list();
    provider.dispose();
    const session = await SessionFiles.open(await sandbox.current.catalogue.get(record.id));
    const [first] = session.snapshots;
    const tree = await session.tree(1n);
    const names = (await tree.list('')).map(({ name }) => name);
    await session.dispose();
    assert.equal(first?.files.state, 'kept');
    return { id: record.id, record, refs, ref: first.files.ref, names };
  }

  it('are snapshotted once, before its session starts', async () => {
    const { id, refs, ref } = await startedBranch(prewarmFirstSnapshot);
    assert.deepEqual(refs, [ref]);
    assert.ok(ref.startsWith(`${preStartName(id)}@`), ref);
  });

  it('are in the snapshot of its session if that was faster', async () => {
    const { id, record, ref } = await startedBranch(() => {});
    assert.ok(ref.startsWith(`${snapshotName(id, 1n)}@`), ref);
    writeFileSync(path.join(record.workspace, 'made by the agent'), '');
    await prewarmFirstSnapshot(record);
    const provider = await openSnapshotProvider(record.workspace);
    const refs = await provider.list();
    provider.dispose();
    assert.deepEqual(refs, [ref]);
  });

  it('are snapshotted again if they changed in between', async () => {
    const { id, refs, ref, names } = await startedBranch(async (record) => {
      await prewarmFirstSnapshot(record);
      writeFileSync(path.join(record.workspace, 'b.txt'), 'two\n');
    });
    assert.ok(ref.startsWith(`${snapshotName(id, 1n)}@`), ref);
    const others = refs.filter((each) => each !== ref);
    assert.equal(others.length, 1, 'the one before stays as it is');
    assert.ok(others[0]?.startsWith(`${preStartName(id)}@`), others[0]);
    assert.ok(names.includes('b.txt'), names.join(' '));
  });
});
