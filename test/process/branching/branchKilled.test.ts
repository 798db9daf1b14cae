import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { findLosses } from '../../../src/branching/node/remove/branchLosses.ts';
import { removeBranch } from '../../../src/branching/node/remove/removeBranch.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { treeOf } from '../../agents/originals.ts';
import { collect, processes, until } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { fingerprint, userGit } from '../../support/git/gitWorkspace.ts';
import { commandOf } from '../../support/processes/processCommand.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { slowTest } from '../../support/tiers.ts';
import { isSoak } from '../../support/soak.ts';

const program = path.resolve(import.meta.dirname, '../../support/branching/dyingBranch.ts');
/** Each step takes about a second, so each agent gets a different selection by default. */
const STRIDE = isSoak ? 1 : 7;
const { signal } = new AbortController();

/**
 * After a kill nothing is left, or a listed branch whose removal leaves nothing, not even in the
 * agent's home.
 */
describe('a branch that is killed at any step', function () {
  this.timeout(600_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const disk = useBtrfsDisk({ sizeMib: 512 });
  let home = '';

  beforeEach(() => {
    home = path.join(place.path, 'home');
    mkdirSync(path.join(home, '.claude/projects/other'), { recursive: true });
    writeFileSync(path.join(home, '.claude/projects/other/mine.jsonl'), '{}\n');
  });

  async function prepare(workspace: string, agent: string): Promise<SessionFiles> {
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, '.gitignore'), '.env\n');
    writeFileSync(path.join(workspace, '.env'), 'SECRET=1\n');
    writeFileSync(path.join(workspace, 'a'), 'a\n');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-qm', 'first');
    const steps = [() => writeFileSync(path.join(workspace, 'b'), 'b\n')];
    return placeBranchable(sandbox.current, workspace, { agent, steps, cmd: [process.execPath] });
  }

  function makeAndDie(files: SessionFiles, name: string, limit: number) {
    const env = { ...sandbox.current.env, HOME: home };
    const args = [program, files.session.meta.id, name, String(limit)];
    return collect(spawn(process.execPath, args, { env, stdio: 'pipe' }));
  }

  for (const [agent, provider] of [
    ['claudeCode', 'git'],
    ['codex', 'btrfs'],
    ['gemini', 'git'],
    ['copilot', 'btrfs'],
  ] as const) {
    slowTest(`${agent}, with ${provider}`, async () => {
      const workspace =
        provider === 'btrfs'
          ? disk.current.subvolume('prö ject')
          : path.join(place.path, 'prö ject');
      mkdirSync(workspace, { recursive: true });
      const files = await prepare(workspace, agent);
      const registry = new BranchRegistry(path.join(sandbox.current.folder, 'branches'));
      const before = { home: treeOf(home), files: treeOf(workspace) };
      const folders = readdirSync(home, { recursive: true }).sort();
      const gitBefore = fingerprint(path.join(workspace, '.git'));
      const states = new Map<string, number>();
      for (let limit = 1 + (agent.length % STRIDE); ; limit += STRIDE) {
        const name = `b${limit}`;
        const { exitCode, stderr } = await makeAndDie(files, name, limit);
        await noStragglers(`${workspace}.branches`);
        const [left, ...more] = await registry.list();
        assert.deepEqual(more, []);
        const homeNow = treeOf(home);
        const isTouched = Object.keys(homeNow).length > Object.keys(before.home).length;
        if (isTouched) assert.ok(left?.made, `step ${limit}: what was put into its home is listed`);
        if (left) {
          const isWhole = exitCode === 0;
          assert.equal(await registry.isLeftover(left), !isWhole && left.state !== 'ready', stderr);
          const { agentFiles } = await findLosses(left, registry, signal);
          assert.equal(agentFiles.length > 0, isTouched, `step ${limit}`);
          assert.deepEqual(await removeBranch(left, registry), []);
        }
        const state = `${left?.state ?? 'nothing'}${isTouched ? ', with a session' : ''}`;
        states.set(state, (states.get(state) ?? 0) + 1);
        assert.deepEqual(await registry.list(), []);
        assert.deepEqual(treeOf(home), before.home, `step ${limit}`);
        assert.deepEqual(readdirSync(home, { recursive: true }).sort(), folders, `step ${limit}`);
        assert.deepEqual(treeOf(workspace), before.files, `step ${limit}`);
        assert.deepEqual(fingerprint(path.join(workspace, '.git')), gitBefore, `step ${limit}`);
        assert.ok(!existsSync(path.join(`${workspace}.branches`, name)), `step ${limit}`);
        if (exitCode === 0) break;
        assert.equal(exitCode, null, stderr);
      }
      assert.ok(states.get('making')! > 0, [...states].join('; '));
      assert.ok(states.get('ready, with a session')! > 0, [...states].join('; '));
      await files.dispose();
    });
  }
});

/** Children of a killed process may run a little longer. */
function noStragglers(folder: string): Promise<void> {
  return until(
    () => !processes().some((pid) => commandOf(pid).includes(folder)),
    'what was under way to end',
  );
}
