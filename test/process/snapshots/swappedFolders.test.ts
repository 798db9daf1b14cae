import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../../src/base/errors.ts';
import { asRestoreStep, planApply } from '../../../src/branching/node/apply/applyBranch.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { carryFiles } from '../../../src/branching/node/carry/carryFiles.ts';
import type { RestoreResult } from '../../../src/snapshots/common/restore/applyRestore.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { allPaths, exportTree } from '../../../src/snapshots/node/restore/exportTree.ts';
import { applySteps } from '../../../src/snapshots/node/restore/applySteps.ts';
import { planRestore } from '../../../src/snapshots/node/restore/restoreWorkspace.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { committedRepository, putFiles } from '../../support/git/gitWorkspace.ts';
import { FolderSwapper } from '../../support/processes/folderSwapper.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';
import { isSoak } from '../../support/soak.ts';

const ROUNDS = isSoak ? 10_000 : 200;
const { signal } = new AbortController();
const NAMES = ['a', 'b'];
/** The folder that the program swaps. */
const SWAPPED = 'sub';

type Contents = Readonly<Record<string, string>>;
const each = (content: string): Contents =>
  Object.fromEntries(NAMES.map((name) => [`${SWAPPED}/${name}`, content]));

/** The files after a restore, and before it. */
const WANTED = { ...each('wanted\n'), [`${SWAPPED}/new/x`]: 'x\n' };
const PRESENT = { ...each('present\n'), [`${SWAPPED}/more/y`]: 'y\n' };

/** All that a write to a folder would change. */
function traces(folder: string): unknown[] {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()].map((name) => {
    const file = path.join(folder, name);
    const { mode, mtimeNs, ctimeNs, ino } = lstatSync(file, { bigint: true });
    const content = lstatSync(file).isFile() ? readFileSync(file, 'utf8') : '';
    return [name, mode, mtimeNs, ctimeNs, ino, content];
  });
}

/** The files of a folder with their contents. */
function contentsOf(folder: string): Contents {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => lstatSync(path.join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [`${SWAPPED}/${name}`, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

describe('while a program replaces a folder by a link', function () {
  this.timeout(isSoak ? 3_600_000 : 120_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, out } = useSessionCommands(() => files);
  let outside = '';
  const inPlace = (name: string) => path.join(place.path, name);

  beforeEach(() => {
    outside = inPlace('outside');
    workspace = inPlace('project');
    // The same files as in the workspace, so that a faulty operation would not notice the swap.
    const there = Object.entries(PRESENT).map(([name, text]) => [
      path.relative(SWAPPED, name),
      text,
    ]);
    mkdirSync(outside);
    putFiles(outside, Object.fromEntries(there) as Contents);
  });

  /** Runs a task again and again beside a program that swaps a folder; checks what is outside. */
  async function repeat(
    swapped: string,
    { prepare, task, check }: Rounds,
  ): Promise<{ complete: number }> {
    const swapper = await FolderSwapper.start(swapped, outside);
    const before = traces(outside);
    let complete = 0;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const left of [swapped, `${swapped}.aside`])
          rmSync(left, { recursive: true, force: true });
        prepare();
        const obstacles = await swapper.during(task);
        assert.deepEqual(traces(outside), before, `round ${round}`);
        for (const obstacle of obstacles) assert.match(obstacle, /\bsub\b/);
        if (obstacles.length > 0) continue;
        complete += 1;
        check(swapped);
      }
    } finally {
      await swapper.stop();
    }
    return { complete };
  }

  const isWanted = (swapped: string) => assert.deepEqual(contentsOf(swapped), WANTED);

  /** Resets the files before each round. */
  const present = () => {
    rmSync(path.join(workspace, SWAPPED), { recursive: true, force: true });
    putFiles(workspace, PRESENT);
  };

  it('a restore changes nothing outside, and names what it skips', async () => {
    await committedRepository(workspace, WANTED);
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    present();
    const plan = await planRestore(files, { ...files.kept(1n), label: 'test', signal });
    const provider = await files.provider();
    // Opened once, because the snapshots do not change.
    const trees = {
      present: await provider.open(plan.before.ref),
      target: await provider.open(plan.ref),
    };
    const task = async () =>
      reasonsOf(await applySteps(plan.steps, { workspace, ...trees, signal }));
    const swapped = path.join(workspace, SWAPPED);
    const { complete } = await repeat(swapped, { prepare: present, task, check: isWanted });
    assert.ok(complete > 0);
  });

  it('applying a branch changes nothing outside, and names what it skips', async () => {
    await committedRepository(workspace, PRESENT);
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
    const branch = `${workspace}.branches/x`;
    rmSync(path.join(branch, SWAPPED), { recursive: true });
    putFiles(branch, WANTED);
    const [record] = await new BranchRegistry().list();
    // `!`: the branch was just created.
    const plan = await planApply(files, record!, signal);
    const trees = {
      present: await (await files.provider()).open(plan.before.ref),
      target: plan.result,
    };
    const steps = plan.steps.map(asRestoreStep);
    const task = async () => reasonsOf(await applySteps(steps, { workspace, ...trees, signal }));
    try {
      const swapped = path.join(workspace, SWAPPED);
      const { complete } = await repeat(swapped, { prepare: present, task, check: isWanted });
      assert.ok(complete > 0);
    } finally {
      plan.branch.dispose();
    }
  });

  it('an export writes nothing outside, and is complete or says what is in the way', async () => {
    await committedRepository(workspace, WANTED);
    files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    const tree = await files.tree(1n);
    const paths: string[] = [];
    for await (const found of allPaths(tree)) paths.push(found);
    const target = inPlace('export');
    const { complete } = await repeat(path.join(target, SWAPPED), {
      prepare: () => rmSync(target, { recursive: true, force: true }),
      task: () => reasonOf(exportTree(tree, paths, target, () => {})),
      check: isWanted,
    });
    assert.ok(complete > 0);
  });

  it('carried files are not written outside', async () => {
    const [from, to] = [inPlace('from'), inPlace('to')];
    const carried = (name: string) => path.join('modules', name);
    putFiles(
      from,
      Object.fromEntries(Object.entries(WANTED).map(([name, text]) => [carried(name), text])),
    );
    mkdirSync(to);
    const { complete } = await repeat(path.join(to, carried(SWAPPED)), {
      prepare: () => rmSync(path.join(to, 'modules'), { recursive: true, force: true }),
      task: () => reasonOf(carryFiles({ from, to, paths: ['modules'], mode: 'copy', signal })),
      check: isWanted,
    });
    assert.ok(complete > 0);
  });
});

interface Rounds {
  readonly prepare: () => void;
  /** @returns why files were not written; empty if all were */
  readonly task: () => Promise<readonly string[]>;
  /** Called if the task wrote all files. */
  readonly check: (swapped: string) => void;
}

function reasonsOf({ skipped }: RestoreResult): string[] {
  return skipped.map(({ step, reason }) => `${step.path}: ${reason}`);
}

function reasonOf(task: Promise<unknown>): Promise<string[]> {
  return task.then(
    () => [],
    (error: unknown) => [messageOf(error)],
  );
}
