import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { pruneDaily } from '../../../src/snapshots/node/prune/dailyPruning.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { sessionCost, workspaceCost } from '../../../src/snapshots/node/prune/snapshotCosts.ts';
import { retention } from '../../../src/snapshots/common/retention.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NOISE_BYTES = 200_000;

describe('pruning once a day', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const log: string[] = [];
  let files: SessionFiles;

  beforeEach(async () => {
    log.length = 0;
    const workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const noise = () => {
      const bytes = crypto.getRandomValues(new Uint8Array(65_536));
      const all = Array.from({ length: Math.ceil(NOISE_BYTES / bytes.length) }, () => bytes);
      writeFileSync(
        path.join(workspace, 'noise'),
        Buffer.concat(all).map((byte, at) => byte ^ at),
      );
    };
    files = await placeBranchable(sandbox.current, workspace, { steps: [noise, noise, noise] });
  });
  afterEach(() => files.dispose());

  const takenMs = () => Number(files.snapshots[0]!.tsNs / 1_000_000n);
  const prune = (nowMs: number) =>
    pruneDaily({
      catalogue: sandbox.current.catalogue,
      branches: new BranchRegistry(),
      policy: retention(7, 10),
      nowMs,
      dataFolder: sandbox.current.folder,
      log: (text: string) => log.push(text),
    });
  const states = async () => {
    await files.refresh();
    return files.snapshots.map((line) => line.files.state);
  };

  it('removes snapshots older than a week except the last, and frees their space', async () => {
    const provider = await files.provider();
    const { count, bytes } = await sessionCost(files.session, [provider]);
    assert.equal(count, 3);
    assert.ok(bytes > 3 * 60_000, `${bytes} bytes`);
    assert.equal(await prune(takenMs() + 6 * DAY_MS), true);
    assert.deepEqual(await states(), ['kept', 'kept', 'kept'], 'nothing is too old yet');
    assert.equal(await prune(takenMs() + 6 * DAY_MS + 23 * HOUR_MS), false, 'not twice a day');
    assert.equal(await prune(takenMs() + 8 * DAY_MS), true);
    assert.deepEqual(await states(), ['removed', 'removed', 'kept']);
    assert.match(log.at(-1)!, /project: 2 snapshots removed, \d{5,} bytes/);
    const left = await sessionCost(files.session, [provider]);
    assert.equal(left.count, 1);
    assert.ok(left.bytes < bytes / 2, `${left.bytes} of ${bytes} bytes`);
    assert.deepEqual(await workspaceCost([provider]), left);
  });

  it("continues and reports when a workspace can't be read", async () => {
    const gone = path.join(place.path, 'gone');
    mkdirSync(gone);
    await userGit(gone, 'init', '-q');
    const steps = [() => writeFileSync(path.join(gone, 'a'), 'a')];
    const other = await placeBranchable(sandbox.current, gone, { steps });
    await other.dispose();
    rmSync(gone, { recursive: true });
    await userGit(place.path, 'init', '-q', '--bare', 'gone');
    await prune(takenMs() + 8 * DAY_MS);
    assert.deepEqual(await states(), ['removed', 'removed', 'kept']);
    assert.equal(
      log.filter((text) => /Can't prune the snapshots of .*gone: /.test(text)).length,
      1,
      log.join('\n'),
    );
  });
});
