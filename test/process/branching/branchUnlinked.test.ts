import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { relaunch } from '../../../src/branching/node/memory/agentMemory.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { makeBranch } from '../../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../../src/branching/node/plan/planBranch.ts';
import { removeBranch } from '../../../src/branching/node/remove/removeBranch.ts';
import type { SessionFiles } from '../../../src/sessions/node/sessionFiles.ts';
import { placeBranchable } from '../../support/branchableSession.ts';
import { indexOf, userGit } from '../../support/gitWorkspace.ts';
import { sessionCommands } from '../../support/sessionCommands.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const ALONE = 'The branch has the files, but is no git working tree';
const BELOW = 'sub has its files in the branch, but is no git working tree there';

/** HEAD and index need the repository that they were of; the files do not. */
describe('a branch whose repository is not what it was', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const { signal } = new AbortController();
  let workspace = '';
  let files: SessionFiles;
  const { ah, out } = sessionCommands(() => ({
    ...{ sandbox: sandbox.current, files, cwd: place.path },
  }));

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
  afterEach(() => files.dispose());

  async function repository(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await userGit(folder, 'init', '-q');
    writeFileSync(path.join(folder, 'a.txt'), 'a\n');
    await userGit(folder, 'add', '.');
    await userGit(folder, 'commit', '-qm', 'first');
  }

  /** What is said before is said again, once, of what is made. */
  async function expectSaid(kind: string, ...sentences: string[]): Promise<void> {
    const dry = await ah('branch', '--snapshot', '1', '--name', 'x', '--dry-run');
    const made = await ah('branch', '--snapshot', '1', '--name', 'x', '--no-launch');
    for (const { exitCode, stderr } of [dry, made]) {
      assert.equal(exitCode, 0, stderr);
      assert.ok(stderr.includes(`(${kind})`), stderr);
      assert.equal(stderr.split('no git working tree').length, sentences.length + 1, stderr);
      for (const sentence of sentences) assert.ok(stderr.includes(sentence), stderr);
    }
    assert.equal(readFileSync(inBranch('staged.txt'), 'utf8'), 'staged\n');
    await out('branch', 'rm', 'x', '--yes');
    assert.ok(!existsSync(`${workspace}.branches`));
  }

  function inBranch(name: string): string {
    return path.join(`${workspace}.branches`, 'x', name);
  }

  it('is called a clone, and says why, after the project was cloned anew', async () => {
    rmSync(workspace, { recursive: true });
    await userGit(place.path, 'clone', '-q', 'upstream', workspace);
    await expectSaid('a clone', ALONE, BELOW);
    const refused = await ah('branch', '--snapshot', '1', '--worktree', '--dry-run');
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /there is no repository now that has its commit\. Leave out --w/);
  });

  it('is called a clone, and says why, after the repository was made anew or is gone', async () => {
    for (const isMadeAnew of [true, false]) {
      rmSync(path.join(workspace, '.git'), { recursive: true });
      if (isMadeAnew) await userGit(workspace, 'init', '-q');
      await expectSaid('a clone', ALONE);
    }
  });

  it('is a working tree, and says of which folder in it that is not so', async () => {
    rmSync(path.join(workspace, 'sub/.git'), { recursive: true });
    await expectSaid('a git worktree', BELOW);
    rmSync(path.join(workspace, 'sub'), { recursive: true });
    await expectSaid('a git worktree', BELOW);
  });

  it('is called a clone where the snapshot is from before there was a repository', async () => {
    await files.dispose();
    workspace = path.join(place.path, 'plain');
    mkdirSync(workspace);
    const steps = [() => writeFileSync(path.join(workspace, 'staged.txt'), 'staged\n')];
    files = await placeBranchable(sandbox.current, workspace, { steps });
    await userGit(workspace, 'init', '-q');
    await expectSaid('a clone');
  });

  it('says so also when that turns out only while it is made', async () => {
    const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
    const parts = { registry, memory: relaunch };
    const request = {
      ...({ at: { kind: 'snapshot', id: 1n }, carried: [], carryMode: 'copy' } as const),
      ...{ name: 'x', env: {}, signal },
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
