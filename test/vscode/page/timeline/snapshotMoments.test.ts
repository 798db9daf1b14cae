import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { KEPT_FILES } from '../../../support/git/writeSnapshotLines.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const RECORDS: readonly AhrRecord[] = [
  ...recordsOf([60, 10], 'one\r\n', 'two\r\n'),
  { kind: 'snapshot', tsNs: 9_000n, snapshotId: 7n, anchorByte: 5, label: 'Session start' },
];
const EVENTS = [eventLine(1, { id: 'p', kind: 'user.prompt', byte: 10, text: 'count' })];

describe('the snapshots of the timeline', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  it('says that a snapshot was late, in its row at any width and on its card', async () => {
    const snapshotFiles = { ...KEPT_FILES, isLate: true };
    const { frame, page } = await pages.open(RECORDS, { events: EVENTS, snapshotFiles });
    const row = frame.locator('.moment.kind-snapshot');
    const facts = row.locator('.moment-number');
    await facts.waitFor();
    for (const [width, height] of [
      [1600, 800],
      [900, 800],
      [600, 340],
      [460, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      assert.equal(await facts.textContent(), '#7 · late');
      const inside = (await row.boundingBox())!;
      const box = (await facts.boundingBox())!;
      assert.ok(box.x >= inside.x && box.x + box.width <= inside.x + inside.width, `${width}`);
    }
    assert.match((await row.locator('.moment-go').getAttribute('title'))!, /may contain later/);
    await frame.locator('.marker').first().hover();
    await frame.locator('.card', { hasText: '#7 · late · 0:00' }).waitFor();
  });

  it('does not call other snapshots late', async () => {
    const { frame } = await pages.open(RECORDS, { events: EVENTS });
    const facts = frame.locator('.moment.kind-snapshot .moment-number');
    await facts.waitFor();
    assert.equal(await facts.textContent(), '#7');
  });

  it('offers no action on files if all snapshots are those of another program', async () => {
    const snapshotFiles = { state: 'elsewhere' } as const;
    const timeline = await pages.open(RECORDS, { events: EVENTS, snapshotFiles });
    const { frame } = timeline;
    const row = frame.locator('.moment.kind-mark', { hasText: 'Session start' });
    await row.waitFor();
    assert.equal(await frame.locator('.moment.kind-snapshot, .marker.kind-snapshot').count(), 0);
    assert.ok(await frame.locator('.facts', { hasText: 'snapshot' }).isHidden());
    await until(() => frame.locator('.bar .primary').isHidden(), 'no button in the header');
    for (const each of await frame.locator('.moment').all()) {
      await each.hover();
      const buttons = await each.locator('.moment-actions button').all();
      const titles = await Promise.all(buttons.map((button) => button.getAttribute('title')));
      assert.deepEqual(titles, ['Copy link to this moment']);
    }
    assert.equal(await frame.locator('.hints', { hasText: /branch|snapshot/ }).count(), 0);
    for (const key of ['i', 's']) {
      await timeline.press(key);
      await frame.locator('.notice', { hasText: 'has no snapshots: it can be played' }).waitFor();
    }
    assert.deepEqual(timeline.actions, []);
  });
});
