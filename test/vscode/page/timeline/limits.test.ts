import assert from 'node:assert/strict';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const MOMENTS = 5000;

describe('the timeline’s page at its limits', function () {
  this.timeout(300_000);
  const pages = useTimelinePage();

  it('keeps only a few of thousands of moments in the page', async () => {
    const events = Array.from({ length: MOMENTS }, (_, index) => {
      const event = { id: `${index}`, byte: index };
      if (index % 10 === 0) {
        return eventLine(index, { ...event, kind: 'user.prompt', text: `prompt ${index}` });
      }
      const call = { tool: 'Bash', callId: `${index}`, action: 'shell', input: {} };
      return eventLine(index, { ...event, ...call, kind: 'tool.call', title: `step ${index}` });
    });
    const records = recordsOf([60, 10], ...Array.from({ length: 500 }, () => '0123456789'));
    const timeline = await pages.open(records, { events });
    const { frame, page } = timeline;
    const rows = frame.locator('.moment');
    await frame.locator('.moment', { hasText: `step ${MOMENTS - 1}` }).waitFor();
    assert.ok((await rows.count()) < 200, `${await rows.count()} rows`);
    assert.equal(await rows.last().getAttribute('aria-setsize'), String(MOMENTS));
    // Scrolling, keys and a filter reach rows that are not in the page yet.
    await frame.locator('.moments-list').hover();
    await page.mouse.wheel(0, -1_000_000);
    await frame.locator('.moment', { hasText: 'prompt 0' }).waitFor();
    await frame.locator('.moment', { hasText: 'prompt 0' }).first().locator('.moment-go').focus();
    for (let press = 0; press < 60; press++) await page.keyboard.press('ArrowDown');
    assert.equal(await frame.locator('.moment:focus-within').getAttribute('data-id'), 'event-60');
    await frame.locator('.chip', { hasText: 'Prompts' }).click();
    await frame.locator('.moment', { hasText: 'prompt 4990' }).first().waitFor();
    assert.equal(await rows.first().getAttribute('aria-setsize'), String(MOMENTS / 10));
    await page.mouse.move(300, 300);
    await timeline.press('Home');
    for (const key of [']', ']', ']', '[']) await timeline.press(key);
    const current = frame.locator('.moment[aria-current]');
    assert.equal(await current.count(), 1);
    assert.match((await current.textContent()) ?? '', /^prompt 20/);
  });
});
