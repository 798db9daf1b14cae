import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BranchRecord } from '../../../src/branching/common/branchRecord.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { knownMemory } from '../../../src/branching/node/memory/knownMemory.ts';
import { makeBranch } from '../../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../../src/branching/node/plan/planBranch.ts';
import { removeBranch } from '../../../src/branching/node/remove/removeBranch.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import type { Omission } from '../../../src/snapshots/common/provider.ts';
import { sameFiles, treeOf } from '../../agents/originals.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { filesOnDisk, fingerprint, indexOf, userGit } from '../../support/git/gitWorkspace.ts';
import { Random } from '../../support/random.ts';
import { RandomWorkspace } from '../../support/git/randomWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { treeState } from '../../support/volumes/treeState.ts';
import { isSoak } from '../../support/soak.ts';

const SEED = Number(process.env['AH_SEED'] ?? (isSoak ? Date.now() % 1_000_000 : 4711));
const RUNS = isSoak ? 100 : 3;
/** opencode imports sessions with its own program, so it has a test of its own. */
const AGENTS = ['claudeCode', 'codex', 'gemini', 'copilot'];
const { signal } = new AbortController();

/** Random workspaces, with an agent whose memory is restored. */
describe('branches equal the original’s snapshot and leave the original unchanged', function () {
  this.timeout(isSoak ? 3_600_000 : 240_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let home = '';
  const parts = () => ({
    registry: new BranchRegistry(path.join(sandbox.current.folder, 'branches')),
    memory: knownMemory,
  });

  beforeEach(() => {
    home = path.join(place.path, 'home');
    for (const file of ['.claude/projects/a/1.jsonl', '.codex/config.toml', '.gemini/x.json']) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), '{}\n');
    }
  });

  async function branch(files: SessionFiles, id: bigint): Promise<BranchRecord> {
    const request = {
      ...({ at: { snapshotId: id }, carried: [], carryMode: 'copy' } as const),
      message: 'Go on.',
      env: { HOME: home },
      signal,
    };
    const plan = await planBranch(files, request, parts());
    assert.equal(plan.memory.method, 'resume');
    return makeBranch(files, plan, parts(), { signal, isWaiting: false });
  }

  /**
   * Everything that must not change: the files of the session and of the agent, which may get new
   * files.
   */
  function originals(files: SessionFiles, before?: { home: Record<string, string> }) {
    const session = fingerprint(files.session.folder);
    // The events list the new branches.
    session.delete('session.events.jsonl');
    const now = treeOf(home);
    if (before) sameFiles(now, before.home);
    return { session, home: before?.home ?? now };
  }

  /** After all branches are removed, nothing of them is left. */
  async function removeAll(made: readonly BranchRecord[], folder: string, homeBefore: string[]) {
    // Newest first: a shared folder of the agent is removed with the branch that it was created
    // for.
    for (const record of made.toReversed()) {
      assert.ok(record.made?.files.every((file) => existsSync(file)));
      assert.deepEqual(await removeBranch(record, parts().registry), []);
    }
    assert.deepEqual(await parts().registry.list(), []);
    assert.ok(!existsSync(`${folder}.branches`), 'no folder is left');
    assert.deepEqual(everythingIn(home), homeBefore);
  }

  it(`with git, for random repositories: ${RUNS} times, seed ${SEED}`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < RUNS; run++) {
      const folder = path.join(place.path, `wörk ${run}`);
      const outside = path.join(place.path, `outside ${run}`);
      const workspace = new RandomWorkspace(folder, outside, random);
      await workspace.start();
      const states: { head: string; index: string; files: Map<string, string> }[] = [];
      const steps = Array.from({ length: 4 }, () => async () => {
        for (let count = 0; count < 12; count++) await workspace.step();
        states.push({
          head: await userGit(folder, 'rev-parse', 'HEAD').catch(() => ''),
          index: await indexOf(folder),
          files: filesOnDisk(folder),
        });
      });
      const agent = AGENTS[run % AGENTS.length]!;
      const options = { steps, agent, cmd: [process.execPath] };
      const files = await placeBranchable(sandbox.current, folder, options);
      const homeBefore = everythingIn(home);
      const before = { ...originals(files), ...repositoryOf(folder) };
      const made: BranchRecord[] = [];
      for (let count = 0; count < 4; count++) {
        const id = BigInt(1 + random.below(4));
        const record = await branch(files, id);
        made.push(record);
        const log = `run ${run}, snapshot ${id}: ${workspace.log.slice(-30).join('; ')}`;
        const then = states[Number(id) - 1]!;
        const isOurs = (file: string) => file === '.ah' || file.startsWith('.ah/');
        const expected = withoutOmitted(then.files, files.kept(id).omissions);
        assert.deepEqual(filesOnDisk(record.workspace, isOurs), expected, log);
        const head = await userGit(record.workspace, 'rev-parse', 'HEAD').catch(() => '');
        assert.equal(head, then.head, log);
        assert.equal(await indexOf(record.workspace), then.index, log);
        assert.match(await userGit(record.workspace, 'check-ignore', '.ah/branch.json'), /branch/);
        assert.deepEqual({ ...originals(files, before), ...repositoryOf(folder) }, before, log);
      }
      await removeAll(made, folder, homeBefore);
      assert.deepEqual({ ...originals(files, before), ...repositoryOf(folder) }, before);
      const worktrees = path.join(folder, '.git/worktrees');
      const left = existsSync(worktrees) ? readdirSync(worktrees) : [];
      assert.deepEqual(
        left.filter((name) => name.startsWith('ah-')),
        [],
      );
      await files.dispose();
    }
  });

  it('with git, also in a submodule with a sparse checkout', async () => {
    await expectSeparateSubmodule(path.join(place.path, 'wörk'));
  });

  /**
   * A submodule's repository names its folder: git commands in a branch must change neither of the
   * original's.
   */
  async function expectSeparateSubmodule(folder: string): Promise<void> {
    const library = path.join(place.path, 'library');
    for (const at of [library, folder]) {
      mkdirSync(path.join(at, 'in'), { recursive: true });
      for (const name of ['in/a', 'b']) writeFileSync(path.join(at, name), 'one\n');
      await userGit(at, 'init', '-q');
      await userGit(at, 'add', '.');
      await userGit(at, 'commit', '-qm', 'first');
    }
    await userGit(folder, 'submodule', '--quiet', 'add', library, 'sub');
    await userGit(folder, 'commit', '-qm', 'sub');
    await userGit(path.join(folder, 'sub'), 'sparse-checkout', 'set', 'in');
    const options = { steps: [() => {}], agent: AGENTS[0]!, cmd: [process.execPath] };
    const files = await placeBranchable(sandbox.current, folder, options);
    const record = await branch(files, 1n);
    const before = repositoryOf(folder);
    const sub = path.join(record.workspace, 'sub');
    assert.equal(await userGit(sub, 'rev-parse', '--show-toplevel'), `${sub}\n`);
    assert.equal(await userGit(sub, 'status', '--porcelain'), '');
    for (const command of [
      ['stash', '-q', '-u'],
      ['add', '-A'],
      ['rm', '-qrf', '.'],
    ]) {
      writeFileSync(path.join(sub, 'new'), `of the branch: ${command[0]}\n`);
      await userGit(sub, ...command);
      await userGit(sub, 'clean', '-fdq');
    }
    await userGit(record.workspace, 'submodule', '--quiet', 'update', '--force');
    const isShared = (name: string) => /(^|\/)(objects\/|(logs\/)?refs\/stash$)/.test(name);
    const after = repositoryOf(folder);
    for (const { repository } of [before, after])
      for (const name of repository.keys()) if (isShared(name)) repository.delete(name);
    assert.deepEqual(after, before);
    await files.dispose();
  }

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it(`for random folders, with git and ignored files: ${RUNS} times, seed ${SEED}`, async () => {
      const random = new Random(SEED + 1);
      for (let run = 0; run < RUNS; run++) {
        const folder = disk.current.subvolume(`prö ject ${run}`);
        const outside = path.join(place.path, `outside ${run}`);
        const workspace = new RandomWorkspace(folder, outside, random);
        await workspace.start();
        const states: Map<string, string>[] = [];
        const steps = Array.from({ length: 4 }, () => async () => {
          for (let count = 0; count < 10; count++) await workspace.step();
          mkdirSync(path.join(folder, `empty ${states.length}`));
          states.push(treeState(folder));
        });
        const agent = AGENTS[(run + 1) % AGENTS.length]!;
        const options = { steps, agent, cmd: [process.execPath] };
        const files = await placeBranchable(sandbox.current, folder, options);
        const homeBefore = everythingIn(home);
        const before = { ...originals(files), files: treeState(folder) };
        const made: BranchRecord[] = [];
        for (const id of [1n, 3n, 2n]) {
          const record = await branch(files, id);
          made.push(record);
          assert.equal(record.kind, 'clone');
          const now = treeState(record.workspace);
          for (const file of now.keys()) if (/^\.ah(\/|$)/.test(file)) now.delete(file);
          assert.deepEqual(now, states[Number(id) - 1], workspace.log.slice(-30).join('; '));
          assert.deepEqual({ ...originals(files, before), files: treeState(folder) }, before);
        }
        await userGit(made[0]!.workspace, 'checkout', '-q', '--orphan', 'of-the-branch');
        const message = 'git in the branch is not git in the original';
        assert.deepEqual(treeState(folder), before.files, message);
        await removeAll(made, folder, homeBefore);
        assert.deepEqual({ ...originals(files, before), files: treeState(folder) }, before);
        await files.dispose();
      }
    });

    it('also in a submodule with a sparse checkout', async () => {
      await expectSeparateSubmodule(disk.current.subvolume('prö ject'));
    });

    it('with working trees inside of it, whose git commands do not change the original', async () => {
      const folder = disk.current.subvolume('prö ject');
      await userGit(folder, 'init', '-q');
      writeFileSync(path.join(folder, '.gitignore'), '.worktrees\n');
      await userGit(folder, 'add', '.');
      await userGit(folder, 'commit', '-qm', 'first');
      const elsewhere = path.join(place.path, 'elsewhere');
      await userGit(folder, 'clone', '-q', folder, elsewhere);
      await userGit(elsewhere, 'worktree', 'add', '-q', '--detach', path.join(folder, 'theirs'));
      const addTree = async () => {
        await userGit(folder, 'worktree', 'add', '-q', '.worktrees/x', '-b', 'xb');
      };
      const options = { steps: [addTree], agent: AGENTS[0]!, cmd: [process.execPath] };
      const files = await placeBranchable(sandbox.current, folder, options);
      const before = { ours: treeState(folder), theirs: fingerprint(elsewhere) };
      const record = await branch(files, 1n);
      for (const tree of ['', '.worktrees/x']) {
        const within = path.join(record.workspace, tree);
        await userGit(within, 'commit', '-q', '--allow-empty', '-m', 'of the branch');
        assert.match(await userGit(within, 'log', '--format=%s'), /^of the branch\nfirst\n$/);
      }
      assert.ok(!existsSync(path.join(record.workspace, 'theirs/.git')));
      const said = record.launch!.warnings.filter((warning) =>
        /^theirs has its files/.test(warning),
      );
      assert.equal(said.length, 1, 'what is let go is said');
      assert.deepEqual({ ours: treeState(folder), theirs: fingerprint(elsewhere) }, before);
      await files.dispose();
    });
  });
});

/** The files and the repository, without the worktrees of branches. */
function repositoryOf(workspace: string) {
  const repository = fingerprint(path.join(workspace, '.git'));
  for (const name of repository.keys())
    if (/(^|\/)worktrees\/ah-/.test(name)) repository.delete(name);
  return { files: filesOnDisk(workspace), repository };
}

/** The snapshot lists the files that it lacks. */
function withoutOmitted(files: ReadonlyMap<string, string>, omissions: readonly Omission[]) {
  const isOmitted = (file: string): boolean =>
    omissions.some(
      ({ path: each }) => file === each || file.startsWith(`${each.replace(/\/$/, '')}/`),
    );
  return new Map([...files].filter(([file]) => !isOmitted(file)));
}

/** All paths, including empty folders. */
function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
