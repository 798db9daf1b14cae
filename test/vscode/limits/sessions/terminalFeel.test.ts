import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../support/ah.ts';
import { recordCommand } from '../../harness/pages/journeySteps.ts';
import { pressAndWatch } from '../../harness/pages/pressAndWatch.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

const PRESSES = 5;
/** Long enough to fill all queues. */
const FLOOD_MS = 1500;
const BUDGET_MS = 100;
/** Attempts, because other processes may disturb one measurement and not the other. */
const ROUNDS = 3;

/** Floods after each line it reads, until Ctrl-C; writes the time of Ctrl-C to a file. */
const FLOOD = `
trap : INT
n=0
while :; do
  echo "ready $n"
  read -r line
  [ "$line" = bye ] && exit
  yes 'The quick brown fox jumps over the lazy dog, and goes on to the next line.'
  echo "$EPOCHREALTIME" > "$1-$n"
  echo; echo "caught $n"
  n=$((n + 1))
done`;

describe('a recorded terminal compared with a built-in one', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  /** Median times from the key to the signal and to the answer on screen. */
  async function pressCtrlC(workbench: Workbench, name: string) {
    const signalMs: number[] = [];
    const screenMs: number[] = [];
    for (let n = 0; n < PRESSES; n++) {
      await workbench.terminalShows(`ready ${n}`);
      await workbench.type('go\n');
      await workbench.terminalShows('The quick brown fox');
      await sleep(FLOOD_MS);
      const { pressedAtMs, shownAtMs } = await pressAndWatch(workbench, 'Control+C', `caught ${n}`);
      const caughtAtMs = Number(readFileSync(`${name}-${n}`, 'utf8')) * 1000;
      signalMs.push(caughtAtMs - pressedAtMs);
      screenMs.push(shownAtMs - pressedAtMs);
    }
    await workbench.type('bye\n');
    return { signalMs: median(signalMs), screenMs: median(screenMs) };
  }

  it('answers Ctrl-C at once during a flood of output', async () => {
    const script = path.join(workspace.folder, 'flood.sh');
    writeFileSync(script, FLOOD);
    const workbench = await workspace.open();
    let times = '';
    for (let round = 0; round < ROUNDS; round++) {
      const name = (kind: string) => path.join(workspace.folder, `${kind}${round}`);
      await recordCommand(workbench, `exec bash flood.sh ${name('recorded')}`);
      const recorded = await pressCtrlC(workbench, name('recorded'));
      await workbench.terminalShows('Ended with exit code 0');

      await workbench.command('Terminal: Create New Terminal');
      await workbench.terminalShows(path.basename(workspace.folder));
      await workbench.type(`exec bash flood.sh ${name('plain')}\n`);
      const plain = await pressCtrlC(workbench, name('plain'));
      times = `${describeTimes(recorded)}; in a built-in terminal ${describeTimes(plain)}`;
      console.log(`      ${times}`);
      const isHeard = recorded.signalMs < plain.signalMs + BUDGET_MS;
      if (isHeard && recorded.screenMs < plain.screenMs + BUDGET_MS) return;
    }
    assert.fail(times);
  });

  it('follows the window’s size', async () => {
    const workbench = await workspace.open();
    await recordCommand(
      workbench,
      'trap "stty size" WINCH; echo ready; while :; do read -t 1 x; done',
    );
    await workbench.terminalShows('ready');
    const sizes = async () => (await workbench.terminalText()).match(/^\d+ \d+$/gm) ?? [];
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    await until(async () => (await sizes()).length > 0, 'the program to hear of its new size');
    const [, before] = (await sizes()).at(-1)!.split(' ').map(Number);
    await workbench.page.setViewportSize({ width: 1300, height: 800 });
    await until(
      async () => Number((await sizes()).at(-1)?.split(' ')[1]) > before! + 20,
      'the program to hear of a wider window',
    );
  });
});

function describeTimes({ signalMs, screenMs }: { signalMs: number; screenMs: number }): string {
  return `heard after ${signalMs.toFixed()} ms, shown after ${screenMs.toFixed()} ms`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
