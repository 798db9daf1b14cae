import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { until } from '../../../support/ah.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const SECOND_NS = 1_000_000_000n;
const OUTPUT = recordsOf([60, 10], 'one\r\n', 'two\r\n', 'end').map((record, index) => ({
  ...record,
  tsNs: BigInt(index) * SECOND_NS,
}));
const SNAPSHOT = {
  kind: 'snapshot',
  tsNs: (5n * SECOND_NS) / 2n,
  snapshotId: 7n,
  anchorByte: 10,
  label: 'a test',
} as const;
const RECORDS: readonly AhrRecord[] = [...OUTPUT.slice(0, 3), SNAPSHOT, ...OUTPUT.slice(3)];

/** What VS Code learns about the place of a right click: its menu's conditions and arguments. */
describe('the context menu of the timeline', function () {
  this.timeout(60_000);
  const pages = useTimelinePage();

  async function contextOf(timeline: StandaloneTimeline, place: Locator, at?: number) {
    const { frame } = timeline;
    const box = (await place.boundingBox())!;
    const position = { x: box.width * (at ?? 0.5), y: box.height / 2 };
    await place.click({ button: 'right', position });
    await timeline.settled();
    const text = await frame.locator('body').getAttribute('data-vscode-context');
    return JSON.parse(text!) as Readonly<Record<string, unknown>>;
  }

  it('applies to the clicked row, the place on the scrubber, or the shown screen', async () => {
    const timeline = await pages.open(RECORDS);
    const { frame } = timeline;
    const row = frame.locator('.moment', { hasText: 'a test' });
    const id = await row.getAttribute('data-id');
    const moment = {
      preventDefaultContextMenuItems: true,
      ahMoment: true,
      ahScreen: false,
      recording: pages.file,
      meta: { id: 'this' },
    };
    const withSnapshot = { ahSnapshot: true, snapshotId: '7' };
    assert.deepEqual(await contextOf(timeline, row), { ...moment, ...withSnapshot, momentId: id });

    // Before the first snapshot, the menu has none; after it, the menu has the last one.
    const without = { ...moment, ahSnapshot: false, momentId: null };
    assert.deepEqual(await contextOf(timeline, timeline.track, 0.1), without);
    assert.equal(await timeline.byteOffset(), 0, 'the player went there');
    const screen = frame.locator('.player');
    assert.deepEqual(await contextOf(timeline, screen), { ...without, ahScreen: true });
    const after = { ...moment, ...withSnapshot, momentId: null };
    assert.deepEqual(await contextOf(timeline, timeline.track, 0.9), after);
    assert.deepEqual(await contextOf(timeline, screen), { ...after, ahScreen: true });
  });

  it('has no entries of ours where there is nothing to act on', async () => {
    const timeline = await pages.open(RECORDS);
    const empty = { preventDefaultContextMenuItems: true };
    assert.deepEqual(await contextOf(timeline, timeline.frame.locator('.controls')), empty);
    // In a text box, the menu has VS Code's own entries: cut, copy and paste.
    const search = timeline.frame.locator('input[type=search], .search input').first();
    assert.deepEqual(await contextOf(timeline, search), {});
  });

  it('opened by key applies to the shown position, and stops playing', async () => {
    const timeline = await pages.open(RECORDS);
    await timeline.press('g');
    await timeline.track.focus();
    await timeline.page.keyboard.press('ContextMenu');
    const context = () => timeline.frame.locator('body').getAttribute('data-vscode-context');
    await until(async () => (await context())?.includes('"ahSnapshot":false') === true, 'a menu');
    await timeline.settled();
    assert.equal(await timeline.byteOffset(), 0, 'the player stays');

    await timeline.startPlaying();
    await timeline.frame.locator('.player').click({ button: 'right' });
    await timeline.paused();
    assert.ok((await timeline.byteOffset()) < 13, 'before the end');
  });
});
