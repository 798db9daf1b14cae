import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { knownMemory } from '../../../src/branching/node/memory/knownMemory.ts';
import { planBranch, type BranchRequest } from '../../../src/branching/node/plan/planBranch.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/** An agent without a user may print nothing until the end: its moments differ only in time. */
describe('a branch of a session without output', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let files: SessionFiles;

  beforeEach(async () => {
    const workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const steps = [1, 2, 3].map(
      (step) => () => writeFileSync(path.join(workspace, 'a'), `${step}`),
    );
    files = await placeBranchable(sandbox.current, workspace, { steps, isSilent: true });
  });
  afterEach(() => files.dispose());

  async function planAt(seconds: number) {
    const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
    const tsNs = files.session.meta.startedAtNs + BigInt(seconds * 1000) * 1_000_000n;
    const { signal } = new AbortController();
    const request: BranchRequest = {
      at: { byte: 0, timeNs: tsNs },
      carried: [],
      carryMode: 'copy',
      env: process.env,
      signal,
    };
    const plan = await planBranch(files, request, { registry, memory: knownMemory });
    assert.deepEqual(plan.moment, { byte: 0, timeNs: tsNs }, 'what the agent knew ends there');
    return [Number(plan.snapshot.id), plan.why];
  }

  it('has the files of the last snapshot before the moment', async () => {
    assert.deepEqual(await planAt(1.5), [1, 'before']);
    assert.deepEqual(await planAt(2), [2, 'before']);
    assert.deepEqual(await planAt(2.5), [2, 'before']);
    assert.deepEqual(await planAt(9), [3, 'before']);
    assert.deepEqual(await planAt(0.5), [1, 'later']);
  });
});
