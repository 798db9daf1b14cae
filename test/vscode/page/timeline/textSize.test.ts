import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const ROWS = 24;
const LINES = Array.from({ length: ROWS - 1 }, (_, line) => `line ${line}\r\n`);
/** A program with mouse tracking, which makes a terminal send the wheel to its program. */
const RECORDS = recordsOf([80, ROWS], '\x1b[?1003h\x1b[?1006h', ...LINES);

/** Runs in the page: how far the player scrolls, at most and now. */
const SCROLLED = `(() => {
  const { scrollHeight, clientHeight, scrollTop } = document.querySelector('.player');
  return { most: scrollHeight - clientHeight, now: scrollTop };
})()`;

describe('the text size of the timeline', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  const rowHeight = async ({ frame }: StandaloneTimeline) =>
    (await frame.locator('.player .xterm-screen').boundingBox())!.height / ROWS;
  const scrolled = ({ page }: StandaloneTimeline) =>
    page.evaluate<{ most: number; now: number }>(SCROLLED);

  it('grows and shrinks by key and button, survives a reload, and fits again', async () => {
    const timeline = await pages.open(RECORDS, { viewport: { width: 700, height: 420 } });
    const { frame } = timeline;
    const fits = frame.locator('[aria-label^="Fit text"]');
    const fitting = await rowHeight(timeline);
    assert.equal((await scrolled(timeline)).most, 0, 'the whole screen is shown');
    assert.ok(await fits.isDisabled());

    await timeline.press('T');
    const larger = await rowHeight(timeline);
    assert.ok(larger > fitting, `${larger} after ${fitting}`);
    await frame.locator('[aria-label^="Larger text"]').click();
    await timeline.settled();
    const largest = await rowHeight(timeline);
    assert.ok(largest > larger, `${largest} after ${larger}`);
    await timeline.press('t');
    assert.equal(await rowHeight(timeline), larger);
    await timeline.press('T');

    const kept = () => timeline.page.evaluate<string>("sessionStorage.getItem('state') ?? ''");
    await until(async () => (await kept()).includes('"textScale":1.5'), 'the size to be saved');
    await timeline.reload();
    assert.equal(await rowHeight(timeline), largest);

    await timeline.press('r');
    assert.equal(await rowHeight(timeline), fitting);
    assert.equal((await scrolled(timeline)).most, 0);
    assert.ok(await fits.isDisabled());
    await frame.locator('[aria-label^="Smaller text"]').click();
    await timeline.settled();
    assert.ok((await rowHeight(timeline)) < fitting);
    await fits.click();
    await timeline.settled();
    assert.equal(await rowHeight(timeline), fitting);
  });

  it('scrolls what does not fit, with the wheel too', async () => {
    const timeline = await pages.open(RECORDS, { viewport: { width: 700, height: 420 } });
    for (let press = 0; press < 4; press++) await timeline.press('T');
    assert.ok((await scrolled(timeline)).most > 100);
    const box = (await timeline.frame.locator('.player').boundingBox())!;
    await timeline.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await timeline.page.mouse.wheel(0, 80);
    await until(async () => (await scrolled(timeline)).now > 0, 'the player to scroll', 5000);
  });
});
