import assert from 'node:assert/strict';
import { readEvents } from '../../../../src/sessions/node/eventsFile.ts';
import { recordAgent, sessionIn } from '../../harness/pages/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

const SHOWN_MS = 500;
const ROUNDS = 10;
/** Attempts, because other processes may disturb a measurement. */
const TRIES = 3;

/** Runs in the page: notes when the list, the status bar and the tab first show each status. */
const WATCH = `(() => {
  const places = {
    list: '.part.sidebar .monaco-list-row',
    bar: '.statusbar-item',
    tab: '.single-terminal-tab, .terminal-tabs-entry',
  };
  const words = ['needs approval', 'waiting for you', 'working'];
  const last = {};
  window.ahShown = [];
  const note = () => {
    for (const [place, selector] of Object.entries(places)) {
      const text = [...document.querySelectorAll(selector)].map((each) => each.textContent).join(' ');
      const status = words.find((word) => text.includes(word));
      if (status === last[place]) continue;
      last[place] = status;
      if (status) window.ahShown.push({ place, status, timeMs: Date.now() });
    }
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  note();
})()`;

interface Shown {
  readonly place: string;
  readonly status: string;
  readonly timeMs: number;
}

describe('the status of an agent', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  it(`is shown within ${SHOWN_MS} ms of its evidence, in the list, the status bar and the tab`, async () => {
    const workbench = await workspace.open();
    await workbench.showViews();
    await recordAgent(workbench);
    await workbench.page.evaluate(WATCH);
    let slow: string[] = [];
    for (let attempt = 0; attempt < TRIES; attempt++) {
      slow = await slowPlaces(workbench);
      if (slow.length === 0) return;
    }
    assert.fail(slow.join('\n'));
  });

  /** Makes the agent ask for approvals. @returns late statuses, and the delays of all */
  async function slowPlaces(workbench: Workbench): Promise<string[]> {
    const { folder } = await sessionIn(workspace.folder);
    const before = (await evidenceIn(folder)).length;
    for (let round = 0; round < ROUNDS; round++) {
      const part = `make part${before + round}`;
      await workbench.type(`ask ${part}\n`);
      await workbench.terminalShows(`Allow ${part}?`);
      await workbench.page.waitForTimeout(800);
      await workbench.type('y\n');
      await workbench.terminalShows(`Done with ${part}.`);
      await workbench.page.waitForTimeout(800);
    }
    const shown = await workbench.page.evaluate<Shown[]>('window.ahShown');
    const evidence = (await evidenceIn(folder)).slice(before);
    assert.equal(evidence.length, ROUNDS * 2);
    return ['list', 'bar', 'tab'].flatMap((place) => {
      const delays = evidence.map(({ status, timeMs }) => {
        // The next occurrence in this place; the browser's clock has whole milliseconds.
        const next = shown.find(
          (each) => each.place === place && each.status === status && each.timeMs >= timeMs - 2,
        );
        return next ? next.timeMs - timeMs : Infinity;
      });
      const worst = Math.max(...delays);
      const sorted = delays.toSorted((a, b) => a - b);
      console.log(
        `      ${place}: ${sorted[Math.floor(sorted.length / 2)]!.toFixed(0)} ms, at worst ${worst.toFixed(0)} ms`,
      );
      return worst <= SHOWN_MS ? [] : [`${place}: ${delays.join(', ')}`];
    });
  }
});

async function evidenceIn(folder: string): Promise<{ status: string; timeMs: number }[]> {
  return (await readEvents(folder)).flatMap(({ kind, timeNs }) => {
    const timeMs = Number(timeNs / 1000n) / 1000;
    if (kind === 'approval.requested') return [{ status: 'needs approval', timeMs }];
    return kind === 'turn.completed' ? [{ status: 'waiting for you', timeMs }] : [];
  });
}
