import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const COLS = 20;
const RECORDS = recordsOf(
  [COLS, 4],
  '漢 test and Test\r\n0123456789 ends in test again',
  '\x1b[?1049h\x1b[2J\x1b[Htest',
).map((record, index) => ({ ...record, tsNs: BigInt(index) * 1_000_000_000n }));

describe('the matches of a search on the screen', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  /** The cells that each box covers, from its place over the rows. */
  async function boxes(timeline: StandaloneTimeline): Promise<string[]> {
    const screen = (await timeline.frame.locator('.player .xterm-screen').boundingBox())!;
    const rows = await timeline.frame.locator('.player .xterm-rows > div').count();
    const found = await timeline.frame.locator('.match').all();
    return Promise.all(
      found.map(async (each) => {
        const box = (await each.boundingBox())!;
        const row = Math.round(((box.y - screen.y) / screen.height) * rows);
        const column = Math.round(((box.x - screen.x) / screen.width) * COLS);
        const length = Math.round((box.width / screen.width) * COLS);
        return `row ${row}: ${column}+${length}`;
      }),
    );
  }

  async function showsBoxes(timeline: StandaloneTimeline, ...expected: string[]): Promise<void> {
    const isShown = async () => (await boxes(timeline)).join() === expected.join();
    await until(isShown, expected.join(), 10_000).catch(async () =>
      assert.deepEqual(await boxes(timeline), expected),
    );
  }

  it('have a box each, which follows the screen', async () => {
    const timeline = await pages.open(RECORDS);
    const { keyboard } = timeline.page;
    await timeline.press('/');
    await keyboard.type('test');
    // The search goes to the alternate screen first.
    await showsBoxes(timeline, 'row 0: 0+4');
    await timeline.press('k');
    await timeline.press('j');
    await showsBoxes(timeline, 'row 0: 3+4', 'row 0: 12+4', 'row 1: 19+1', 'row 2: 0+3');
    await timeline.press('Home');
    await showsBoxes(timeline);
    await timeline.press('End');
    await showsBoxes(timeline, 'row 0: 0+4');
    await timeline.press('/');
    await keyboard.press('Escape');
    await showsBoxes(timeline);
  });
});
