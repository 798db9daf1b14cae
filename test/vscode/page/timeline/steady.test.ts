import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const RECORDS: readonly AhrRecord[] = [
  ...recordsOf([60, 10], 'one\r\n', 'two\r\n', 'three').map((record) => ({
    ...record,
    tsNs: record.tsNs * 1000n,
  })),
  { kind: 'snapshot', tsNs: 4_000_000_001n, snapshotId: 7n, anchorByte: 15, label: 'the end' },
];
const EVENTS = [
  eventLine(500, { id: 'e', kind: 'error', byte: 5, message: 'npm test' }),
  eventLine(2500, { id: 'm', kind: 'assistant.message', byte: 10, text: 'All three.' }),
];

/**
 * Runs in the page: moves the pointer from one mark to another. Returns whether the card is shown
 * after leaving the first, and after entering the second.
 */
const NEXT_MARK = `(() => {
  const isShown = () => !document.querySelector('.card').hidden;
  document.querySelector('.marker.kind-message').dispatchEvent(new PointerEvent('pointerleave'));
  const between = isShown();
  document.querySelector('.marker.is-error').dispatchEvent(new PointerEvent('pointerenter'));
  return [between, isShown()];
})()`;

describe('parts of the timeline that stay where they are', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  it('keeps the card while the pointer goes from one mark to the next', async () => {
    const { frame, page } = await pages.open(RECORDS, { events: EVENTS });
    await frame.locator('.marker.kind-message').hover();
    const card = frame.locator('.card');
    await card.waitFor();
    // In one step, since a slow machine must not change the result.
    const shown = await frame.locator('body').evaluate(NEXT_MARK);
    assert.deepEqual(shown, [true, true]);
    assert.match((await card.textContent())!, /npm test/);
    await page.mouse.move(640, 200);
    await frame.locator('.marker.is-error').dispatchEvent('pointerleave');
    await card.waitFor({ state: 'hidden' });
  });

  it('keeps the width of the search box when hits are shown', async () => {
    for (const width of [1280, 800, 480]) {
      const { frame, page } = await pages.open(RECORDS, {
        events: EVENTS,
        viewport: { width, height: 720 },
      });
      const box = async (part: string) => (await frame.locator(part).boundingBox())!;
      const before = await box('.search-box');
      await frame.locator('.search-box input').fill('t');
      await frame.locator('.search-result', { hasText: /\d/ }).waitFor();
      assert.equal((await box('.search-box')).width, before.width, `at ${width}`);
      for (const part of ['.bar .primary', '.search > .icon-button:last-child']) {
        const { x, width: partWidth } = await box(part);
        assert.ok(x >= 0 && x + partWidth <= width, `${part} is cut at ${width}`);
      }
      await page.close();
    }
  });
});
