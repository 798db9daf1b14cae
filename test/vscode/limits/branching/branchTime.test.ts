import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { placeBranchable } from '../../../support/branching/branchableSession.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { BtrfsDisk } from '../../../support/volumes/btrfsDisk.ts';
import { setSetting } from '../../harness/editor/editorSettings.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

const FILES = 20_000;
const FILES_PER_FOLDER = 50;
/** Other processes only add time, so the fastest of each counts. */
const ROUNDS = { least: 2, most: 6 };
const BUDGET = 1.5;
const PROGRAM = ['/bin/sh', '-c', 'echo "it runs"; sleep 600'];
/** Runs when the folder opens. */
const TASK = JSON.stringify({
  version: '2.0.0',
  tasks: [
    {
      label: 'run',
      type: 'process',
      command: PROGRAM[0],
      args: PROGRAM.slice(1),
      presentation: { echo: false },
      runOptions: { runOn: 'folderOpen' },
    },
  ],
});

/** Creates a copy of the original. */
type MakeBare = (folder: string) => Promise<unknown>;

async function timeMs(task: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await task();
  return performance.now() - startMs;
}

/** The measurements so far. */
class Times {
  #bareMs = Infinity;
  #windowMs = Infinity;
  #branchMs = Infinity;

  add(bareMs: number, windowMs: number, branchMs: number): void {
    this.#bareMs = Math.min(this.#bareMs, bareMs);
    this.#windowMs = Math.min(this.#windowMs, windowMs);
    this.#branchMs = Math.min(this.#branchMs, branchMs);
  }

  get isWithinBudget(): boolean {
    return this.#branchMs <= this.#windowMs + BUDGET * this.#bareMs;
  }

  get text(): string {
    const [branch, window, bare] = [this.#branchMs, this.#windowMs, this.#bareMs].map(Math.round);
    return `${branch} ms from the click to its first words; the bare folder ${bare} ms, and a window with a task ${window} ms`;
  }
}

describe('a branch in a new window', function () {
  this.timeout(1_800_000);
  const workspace = useWorkspace();

  /**
   * Baseline: a window on a folder that the plain command created, in which VS Code starts a task.
   */
  async function windowTime(folder: string): Promise<number> {
    mkdirSync(path.join(folder, '.vscode'));
    writeFileSync(path.join(folder, '.vscode/tasks.json'), TASK);
    let window: Workbench | undefined;
    const ms = await timeMs(async () => {
      window = await workspace.open(folder);
      await window.terminalShows('it runs', 120_000);
    });
    await window!.page.close();
    return ms;
  }

  /** Time from confirming the plan to the agent's first output in the new window. */
  async function branchTime(workbench: Workbench, name: string): Promise<number> {
    await workbench.page.bringToFront();
    await workbench.commandAndPick('AH: Branch Here…', 'step 1');
    await workbench.page
      .locator('.quick-input-widget', { hasText: 'agent’s first message' })
      .waitFor();
    await workbench.answer(name);
    // Excludes the time in which Playwright waits for the entry to be stable.
    await workbench.pick('Branch in a New Window').hover();
    const opening = workbench.page.context().waitForEvent('page');
    let opened: Workbench | undefined;
    const ms = await timeMs(async () => {
      await workbench.page.mouse.down();
      await workbench.page.mouse.up();
      opened = new Workbench(await opening);
      await opened.terminalShows('it runs', 120_000);
    });
    await opened!.page.close();
    return ms;
  }

  async function check(folder: string, makeBare: MakeBare): Promise<void> {
    setSetting('task.allowAutomaticTasks', 'on');
    const change = () => writeFileSync(path.join(folder, 'd0/f1'), 'changed\n');
    const files = await placeBranchable(journeyWorld().sandbox, folder, {
      steps: [change],
      cmd: PROGRAM,
    });
    const workbench = await workspace.open(folder);
    const times = new Times();
    for (let round = 0; round <= ROUNDS.most; round++) {
      const bare = `${folder}-bare${round}`;
      const bareMs = await timeMs(() => makeBare(bare));
      const windowMs = await windowTime(bare);
      const branchMs = await branchTime(workbench, `branch ${round}`);
      // The first run has cold caches.
      if (round > 0) times.add(bareMs, windowMs, branchMs);
      if (round >= ROUNDS.least && times.isWithinBudget) break;
    }
    await files.dispose();
    console.log(`      ${times.text}`);
    assert.ok(times.isWithinBudget, times.text);
  }

  it(`is open and runs within ${BUDGET} × \`git worktree add\`, and what the window itself takes`, async () => {
    const { folder } = workspace;
    fill(folder);
    await userGit(folder, 'init', '-q');
    await userGit(folder, 'add', '.');
    await userGit(folder, '-c', 'gc.auto=0', 'commit', '-qm', 'all');
    await userGit(folder, 'repack', '-adq');
    const add = ['worktree', 'add', '--detach', '-q'];
    await check(folder, (bare) => userGit(folder, ...add, bare));
  });

  it(`is open and runs within ${BUDGET} × a bare Btrfs clone, and what the window itself takes`, async () => {
    const disk = new BtrfsDisk({ sizeMib: 2048 });
    try {
      const folder = disk.subvolume('project');
      fill(folder);
      const clone = (bare: string) =>
        execFileSync('btrfs', ['subvolume', 'snapshot', folder, bare], { stdio: 'ignore' });
      await check(folder, (bare) => Promise.resolve(clone(bare)));
    } finally {
      // VS Code works for a while after a window closes.
      disk.disposeInUse();
    }
  });
});

function fill(folder: string): void {
  for (let number = 0; number < FILES; number++) {
    const place = path.join(folder, `d${Math.floor(number / FILES_PER_FOLDER)}`);
    if (number % FILES_PER_FOLDER === 0) mkdirSync(place);
    const text = `// file ${number}\n`.repeat(20 + (number % FILES_PER_FOLDER));
    writeFileSync(path.join(place, `f${number}`), text);
  }
}
