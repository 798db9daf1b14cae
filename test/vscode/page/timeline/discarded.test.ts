import assert from 'node:assert/strict';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const RECORDS = recordsOf([60, 10], 'one\r\n', 'two\r\n', 'three').map((record) => ({
  ...record,
  tsNs: record.tsNs * 1000n,
}));
const created = (id: string, byte: number, name: string) =>
  eventLine(byte * 300, {
    id: `host/branch/${id}`,
    byte,
    kind: 'timeline.sessionBranch.created',
    fromSession: 'this',
    toSession: id,
    method: 'transcript',
    details: { name },
  });
const EVENTS = [
  eventLine(100, { id: 'p', kind: 'user.prompt', byte: 5, text: 'count' }),
  created('gone', 5, 'use a sleep'),
  created('there', 10, 'use a clock'),
];

describe('a discarded branch in the timeline', function () {
  this.timeout(60_000);
  const pages = useTimelinePage();

  it('is called discarded in its row, on its card and in its lane, which opens nothing', async () => {
    const there = { byteOffset: 10, timeMs: 3000, durationMs: 9, isRunning: false };
    const { frame, page } = await pages.open(RECORDS, {
      events: EVENTS,
      branches: [{ ...there, sessionId: 'there', name: 'use a clock' }],
      discarded: ['gone'],
    });
    const row = (name: string) => frame.locator('.moment.kind-branch', { hasText: name });
    await row('use a sleep').waitFor();
    assert.match((await row('use a sleep').textContent())!, /discarded/);
    assert.doesNotMatch((await row('use a clock').textContent())!, /discarded/);
    const label = await row('use a sleep').locator('.moment-go').getAttribute('aria-label');
    assert.match(label!, /use a sleep.*, discarded$/);
    const lanes = frame.locator('.lane');
    assert.deepEqual(await lanes.allTextContents(), [
      'use a clock · 0 s',
      'Branch use a sleep · discarded',
    ]);
    assert.equal(await frame.locator('button.lane').count(), 1, 'only the other one opens');
    await frame.locator('.marker.kind-branch').first().hover();
    assert.match((await frame.locator('.card').textContent())!, /use a sleep/);
    assert.equal(await frame.locator('.card .is-discarded').count(), 1);
    assert.equal(await page.locator('.moment.is-discarded').count(), 1);
  });

  it('offers no action in its own timeline, and says there what happened to it', async () => {
    const timeline = await pages.open(RECORDS, { events: EVENTS });
    const { frame } = timeline;
    await frame.locator('.moment .icon-button').first().waitFor({ state: 'attached' });
    timeline.setSession({ sessionId: null, isRunning: false, stateText: 'discarded' });
    await frame.locator('.state', { hasText: 'discarded' }).waitFor();
    assert.equal(await frame.locator('.bar h1').textContent(), 'A session');
    assert.ok(await frame.locator('.bar .primary').isHidden());
    assert.equal(await frame.locator('.moment .icon-button').count(), 0);
  });
});
