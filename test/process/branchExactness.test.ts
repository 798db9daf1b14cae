import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BranchRecord } from '../../src/branching/branchRecord.ts';
import { relaunch } from '../../src/node/branching/agentMemory.ts';
import { BranchRegistry } from '../../src/node/branching/branchRegistry.ts';
import { makeBranch } from '../../src/node/branching/makeBranch.ts';
import { planBranch, type BranchRequest } from '../../src/node/branching/planBranch.ts';
import { removeBranch } from '../../src/node/branching/removeBranch.ts';
import type { SessionFiles } from '../../src/node/sessionFiles.ts';
import { placeBranchable } from '../support/branchableSession.ts';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  indexOf,
  userGit,
} from '../support/gitWorkspace.ts';
import { Random } from '../support/random.ts';
import { RandomWorkspace } from '../support/randomWorkspace.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { useTemporaryFolder } from '../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../support/volumes/btrfsDisk.ts';
import { treeState } from '../support/volumes/treeState.ts';

const isSoak = process.env['AH_SOAK'] === '1';
const SEED = Number(process.env['AH_SEED'] ?? (isSoak ? Date.now() % 1_000_000 : 4711));
const RUNS = isSoak ? 100 : 3;
const { signal } = new AbortController();

describe('branches leave the original as it is, and are what it was', function () {
  this.timeout(isSoak ? 3_600_000 : 180_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const parts = () => ({
    registry: new BranchRegistry(path.join(sandbox.current.folder, 'branches')),
    memory: relaunch,
  });

  async function branch(files: SessionFiles, more: Partial<BranchRequest> = {}) {
    const request = {
      ...({
        at: { kind: 'snapshot', id: 1n },
        carried: [],
        carryMode: 'copy',
        env: {},
        signal,
      } as const),
      ...more,
    };
    const plan = await planBranch(files, request, parts());
    return makeBranch(files, plan, parts(), { signal, isWaiting: false });
  }

  it(`with git, whatever is in the repository: ${RUNS} times, seed ${SEED}`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < RUNS; run++) {
      const folder = path.join(place.path, `wörk ${run}`);
      const workspace = new RandomWorkspace(
        folder,
        path.join(place.path, `outside ${run}`),
        random,
      );
      await workspace.start();
      const heads: string[] = [];
      const indexes: string[] = [];
      const steps = Array.from({ length: 4 }, () => async () => {
        for (let count = 0; count < 12; count++) await workspace.step();
        heads.push(await userGit(folder, 'rev-parse', 'HEAD').catch(() => ''));
        indexes.push(await indexOf(folder));
      });
      const files = await placeBranchable(sandbox.current, folder, { steps });
      const before = originals(files, folder);
      const made: BranchRecord[] = [];
      for (let count = 0; count < 4; count++) {
        const id = BigInt(1 + random.below(4));
        const record = await branch(files, { at: { kind: 'snapshot', id } });
        made.push(record);
        const log = `run ${run}, snapshot ${id}: ${workspace.log.slice(-30).join('; ')}`;
        const isOurs = (file: string) => file === '.ah' || file.startsWith('.ah/');
        const onDisk = filesOnDisk(record.workspace, isOurs);
        assert.deepEqual(onDisk, await filesInTree(await files.tree(id)), log);
        const index = Number(id) - 1;
        const head = await userGit(record.workspace, 'rev-parse', 'HEAD').catch(() => '');
        assert.equal(head, heads[index], log);
        assert.equal(await indexOf(record.workspace), indexes[index], log);
        assert.match(await userGit(record.workspace, 'check-ignore', '.ah/branch.json'), /branch/);
        assert.deepEqual(originals(files, folder), before, log);
      }
      for (const record of made) await removeBranch(record, parts().registry);
      assert.deepEqual(originals(files, folder), before);
      assert.deepEqual(await parts().registry.list(), []);
      assert.ok(!existsSync(`${folder}.branches`), 'no folder is left');
      const worktrees = path.join(folder, '.git/worktrees');
      const left = existsSync(worktrees) ? readdirSync(worktrees) : [];
      assert.deepEqual(
        left.filter((name) => name.startsWith('ah-')),
        [],
      );
      await files.dispose();
    }
  });

  it('with ignored files that come along, which are copies', async () => {
    const folder = path.join(place.path, 'project');
    mkdirSync(path.join(folder, 'node_modules/x'), { recursive: true });
    await userGit(folder, 'init', '-q');
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    write('.gitignore', 'node_modules\n.env\nlogs\n');
    write('.env', 'SECRET=1\n');
    write('logs', 'noise\n');
    write('node_modules/x/index.js', 'one\n');
    const files = await placeBranchable(sandbox.current, folder, {
      steps: [() => write('a', '1')],
    });
    const { workspace } = await branch(files, { carried: ['.env*', 'node_modules'] });
    const read = (name: string) => readFileSync(path.join(workspace, name), 'utf8');
    assert.deepEqual([read('.env'), read('node_modules/x/index.js')], ['SECRET=1\n', 'one\n']);
    assert.ok(!existsSync(path.join(workspace, 'logs')), 'what nobody wants stays behind');
    writeFileSync(path.join(workspace, 'node_modules/x/index.js'), 'two\n');
    assert.equal(readFileSync(path.join(folder, 'node_modules/x/index.js'), 'utf8'), 'one\n');
    assert.equal(await userGit(workspace, 'status', '--porcelain'), '?? .gitignore\n?? a\n');
    await files.dispose();
  });

  describe('on Btrfs', () => {
    const disk = useBtrfsDisk({ sizeMib: 512 });

    it('with everything in the folder, git and ignored files included', async () => {
      const folder = disk.current.subvolume('prö ject');
      await userGit(folder, 'init', '-q');
      const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
      write('.gitignore', 'ignored\n');
      write('a', 'one\n');
      await userGit(folder, 'add', 'a');
      await userGit(folder, 'commit', '-qm', 'one');
      const states: Map<string, string>[] = [];
      const keep = (change: () => void) => () => {
        change();
        states.push(treeState(folder));
      };
      const steps = [
        keep(() => write('ignored', 'precious\n')),
        keep(() => write('a', 'two\n')),
        keep(() => write('ünï', 'three\n')),
      ];
      const files = await placeBranchable(sandbox.current, folder, { steps });
      const before = treeState(folder);
      const made: BranchRecord[] = [];
      for (const id of [1n, 3n, 2n]) {
        const record = await branch(files, { at: { kind: 'snapshot', id } });
        made.push(record);
        assert.equal(record.kind, 'clone');
        const now = treeState(record.workspace);
        for (const file of ['.ah', '.ah/.gitignore', '.ah/branch.json'])
          assert.ok(now.delete(file), file);
        assert.deepEqual(now, states[Number(id) - 1]);
        assert.deepEqual(treeState(folder), before);
      }
      await userGit(made[0]!.workspace, 'commit', '--allow-empty', '-qm', 'in the branch');
      assert.deepEqual(treeState(folder), before, 'git in the branch is not git in the original');
      for (const record of made) await removeBranch(record, parts().registry);
      assert.deepEqual(treeState(folder), before);
      assert.ok(!existsSync(`${folder}.branches`));
      await files.dispose();
    });
  });
});

/** All that must not change: the files, the repository but for the working trees that are ours, and the session's. */
function originals(files: SessionFiles, workspace: string) {
  const repository = fingerprint(path.join(workspace, '.git'));
  for (const name of repository.keys())
    if (/(^|\/)worktrees\/ah-/.test(name)) repository.delete(name);
  const session = fingerprint(files.session.folder);
  // It says that there are branches now.
  session.delete('session.events.jsonl');
  return { files: filesOnDisk(workspace), repository, session };
}
