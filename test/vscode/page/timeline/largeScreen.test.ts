import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from '../../../support/ah.ts';
import { startLiveRecording } from '../../../support/recording/liveRecording.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { sinceStart, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const ROWS = 50;
/** A timeline beside a terminal. */
const viewport = { width: 480, height: 720 };
const READABLE_PX = 10;
/** Prints text at the far right of the second row, then fills the rows below. */
const FAR = '\x1b[2;180Hfar\x1b[4;1H';
const LINES = Array.from({ length: ROWS - 4 }, (_, line) => `line ${line}\r\n`);

describe('a screen that is larger than the player', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  const recorded = (cols: number, ...more: string[]) =>
    recordsOf([cols, ROWS], ...LINES, '> ', ...more);

  /** Whether the player shows all of an element. */
  async function isInView({ frame }: StandaloneTimeline, part: Locator): Promise<boolean> {
    const [player, box] = [await frame.locator('.player').boundingBox(), await part.boundingBox()];
    if (!player || !box) return false;
    return (
      box.x >= player.x &&
      box.y >= player.y &&
      box.x + box.width <= player.x + player.width &&
      box.y + box.height <= player.y + player.height
    );
  }
  const cursor = ({ frame }: StandaloneTimeline) => frame.locator('.player .xterm-cursor');
  const row = ({ frame }: StandaloneTimeline, text: string) =>
    frame.locator('.player .xterm-rows > div > span', { hasText: text }).first();
  const seesCursor = (timeline: StandaloneTimeline, when: string) =>
    until(() => isInView(timeline, cursor(timeline)), `the cursor in view ${when}`, 10_000);

  for (const cols of [60, 120, 200]) {
    it(`is readable at ${cols} columns, and shows the cursor at each position`, async () => {
      const timeline = await pages.open(recorded(cols), { viewport });
      const { frame, page } = timeline;
      const size = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('.player .xterm-rows')).fontSize`,
      );
      assert.ok(parseFloat(size) >= READABLE_PX, size);
      await seesCursor(timeline, 'at the end');
      await timeline.press('Home');
      await seesCursor(timeline, 'at the start');
      await timeline.setSpeed(32);
      await timeline.startPlaying();
      await timeline.paused();
      await seesCursor(timeline, 'after playing');
      for (const part of ['.moments-list', '.controls .play', '.track']) {
        const box = (await frame.locator(part).boundingBox())!;
        assert.ok(box.height >= 18, part);
        assert.ok(box.y + box.height <= viewport.height, `${part} is below the fold`);
      }
      for (let press = 0; press < 2; press++) await timeline.press('t');
      assert.ok((await rowHeight(timeline)) < READABLE_PX, 'the user can choose a smaller size');
    });
  }

  it('shows the cursor where a long line ends, and a hit of the search', async () => {
    const timeline = await pages.open(recorded(200, FAR, '\x1b[50;1H', 'x'.repeat(190)), {
      viewport,
    });
    await seesCursor(timeline, 'at the end of a long line');
    await timeline.press('/');
    await timeline.page.keyboard.type('far');
    await timeline.page.keyboard.press('Enter');
    const hit = timeline.frame.locator('.player .match').first();
    await until(() => isInView(timeline, hit), 'the hit in view', 10_000);
    await timeline.press('Home');
    await seesCursor(timeline, 'after the hit');
  });

  it('shows the last row with text if the program hides the cursor', async () => {
    const timeline = await pages.open(recorded(120, '\x1b[?25l\x1b[H'), { viewport });
    assert.equal(await cursor(timeline).count(), 0);
    await until(() => isInView(timeline, row(timeline, '> ')), 'the last row', 10_000);
  });

  it('follows a running session, unless the user scrolls', async () => {
    const records = sinceStart(recordsOf([120, ROWS], ...LINES));
    const { grow, close } = await startLiveRecording(pages.file, records);
    await grow(3);
    const session = { isRunning: true, stateText: 'running' };
    const timeline = await pages.openFile({ session, viewport });
    await timeline.shows('line 1');
    await grow(40);
    await timeline.shows('line 38');
    await seesCursor(timeline, 'after new output');
    await timeline.frame.locator('.player').hover();
    await timeline.page.mouse.wheel(0, -2000);
    const first = row(timeline, 'line 0');
    await until(() => isInView(timeline, first), 'the player to scroll', 10_000);
    await grow(44);
    await timeline.shows('line 42');
    await timeline.settled();
    assert.ok(await isInView(timeline, first), 'it stays where the user scrolled to');
    await timeline.press('End');
    await seesCursor(timeline, 'after “to the end”');
    await close();
  });

  async function rowHeight({ frame }: StandaloneTimeline): Promise<number> {
    return (await frame.locator('.player .xterm-screen').boundingBox())!.height / ROWS;
  }
});
