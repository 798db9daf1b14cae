import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { relaunch } from '../../../src/branching/node/memory/agentMemory.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { makeBranch } from '../../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../../src/branching/node/plan/planBranch.ts';
import { removeBranch } from '../../../src/branching/node/remove/removeBranch.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { committedRepository, indexOf, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

const ALONE = 'The branch has the files but is not a git working tree';
const BELOW = 'sub has its files in the branch but is not a git working tree there';

/** HEAD and index need their repository; the files do not. */
describe('a branch whose repository has changed', function () {
  this.timeout(120_000);
  const { signal } = new AbortController();
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);

  beforeEach(async () => {
    workspace = path.join(place.path, 'project');
    await repository(path.join(place.path, 'upstream'));
    await userGit(place.path, 'clone', '-q', 'upstream', workspace);
    await repository(path.join(workspace, 'sub'));
    const work = async () => {
      await userGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'here alone');
      writeFileSync(path.join(workspace, 'staged.txt'), 'staged\n');
      await userGit(workspace, 'add', 'staged.txt');
    };
    files = await placeBranchable(sandbox.current, workspace, { steps: [work] });
  });

  const repository = (folder: string) => committedRepository(folder, { 'a.txt': 'a\n' });

  /** Expects the same sentences in the plan and, once, after the branch was created. */
  async function expectSaid(kind: string, ...sentences: string[]): Promise<void> {
    const dry = await ah('branch', '--snapshot', '1', '--name', 'x', '--dry-run');
    const made = await ah('branch', '--snapshot', '1', '--name', 'x', '--no-launch');
    for (const { exitCode, stderr } of [dry, made]) {
      assert.equal(exitCode, 0, stderr);
      assert.ok(stderr.includes(`(${kind})`), stderr);
      assert.equal(stderr.split('not a git working tree').length, sentences.length + 1, stderr);
      for (const sentence of sentences) assert.ok(stderr.includes(sentence), stderr);
    }
    assert.equal(readFileSync(inBranch('staged.txt'), 'utf8'), 'staged\n');
    await out('branch', 'rm', 'x', '--yes');
    assert.ok(!existsSync(`${workspace}.branches`));
  }

  function inBranch(name: string): string {
    return path.join(`${workspace}.branches`, 'x', name);
  }

  it('is a clone, with the reason, after the project was cloned again', async () => {
    rmSync(workspace, { recursive: true });
    await userGit(place.path, 'clone', '-q', 'upstream', workspace);
    await expectSaid('a clone of the snapshot', ALONE, BELOW);
    const refused = await ah('branch', '--snapshot', '1', '--worktree', '--dry-run');
    assert.notEqual(refused.exitCode, 0);
    assert.match(
      refused.stderr,
      /no repository has the commit of the snapshot any more\. Leave out --w/,
    );
  });

  it('is a clone, with the reason, after the repository was created again or deleted', async () => {
    for (const isMadeAnew of [true, false]) {
      rmSync(path.join(workspace, '.git'), { recursive: true });
      if (isMadeAnew) await userGit(workspace, 'init', '-q');
      await expectSaid('a clone of the snapshot', ALONE);
    }
  });

  it('is a worktree, and names the nested folder that is not', async () => {
    rmSync(path.join(workspace, 'sub/.git'), { recursive: true });
    await expectSaid('a git worktree', BELOW);
    rmSync(path.join(workspace, 'sub'), { recursive: true });
    await expectSaid('a git worktree', BELOW);
  });

  it('is a clone if the snapshot is older than the repository', async () => {
    await files.dispose();
    workspace = path.join(place.path, 'plain');
    mkdirSync(workspace);
    const steps = [() => writeFileSync(path.join(workspace, 'staged.txt'), 'staged\n')];
    files = await placeBranchable(sandbox.current, workspace, { steps });
    await userGit(workspace, 'init', '-q');
    await expectSaid('a clone of the snapshot');
  });

  it('has the warnings even if the repository changes while it is created', async () => {
    const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
    const parts = { registry, memory: relaunch };
    const request = {
      ...({ at: { snapshotId: 1n }, carried: [], carryMode: 'copy' } as const),
      name: 'x',
      env: {},
      signal,
    };
    const plan = await planBranch(files, request, parts);
    assert.equal(plan.kind, 'worktree');
    const [git, aside] = [path.join(workspace, '.git'), path.join(place.path, 'aside')];
    renameSync(git, aside);
    const record = await makeBranch(files, plan, parts, { signal, isWaiting: false });
    assert.equal(record.kind, 'clone');
    assert.equal((await registry.list())[0]!.kind, 'clone');
    const said = record.launch!.warnings.filter((warning) => warning.startsWith(ALONE));
    assert.equal(said.length, 1);
    assert.ok(!existsSync(inBranch('.git')));
    await removeBranch(record, registry);
    renameSync(aside, git);
    const again = await makeBranch(files, plan, parts, { signal, isWaiting: false });
    assert.equal(again.kind, 'worktree');
    assert.equal(await indexOf(again.workspace), await indexOf(workspace));
  });
});
