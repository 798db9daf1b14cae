import assert from 'node:assert/strict';
import { MARK_PAUSE, MARK_RESUME } from '../../../../src/recording/format/format.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const SECOND_NS = 1_000_000_000n;

/** One output per second, with a pause of five minutes in the middle. */
const STEPS = ['one\r\n', 'two\r\n', 'three\r\n', 'four\r\n', 'five\r\n', 'six\r\n'];
const BYTES = 34;
/**
 * The second output comes after half a second; at a quarter of the speed, that takes two seconds.
 */
const PLAYED_MS = 1900;
const PAUSE_NS = 300n * SECOND_NS;
const OUTPUT = recordsOf([60, 10], ...STEPS).map((record, index) => ({
  ...record,
  tsNs: BigInt(index) * SECOND_NS + (index > 3 ? PAUSE_NS : 0n),
}));
const RECORDS: readonly AhrRecord[] = [
  ...OUTPUT.slice(0, 3),
  {
    kind: 'snapshot',
    tsNs: 2n * SECOND_NS + 1n,
    snapshotId: 7n,
    anchorByte: 10,
    label: 'after Edit queue.ts',
  },
  ...OUTPUT.slice(3),
];
const EVENTS = [
  eventLine(1000, { id: 'p', kind: 'user.prompt', byte: 5, text: 'count to six' }),
  eventLine(1500, {
    id: 'c',
    kind: 'tool.call',
    byte: 5,
    tool: 'Bash',
    callId: '1',
    action: 'shell',
    input: {},
    title: 'npm test',
  }),
  eventLine(1600, {
    id: 'r',
    kind: 'tool.result',
    byte: 5,
    tool: 'Bash',
    callId: '1',
    outcome: 'failed',
    exitCode: 2,
    summary: '',
    files: [],
  }),
  eventLine(304_500, { id: 'm', kind: 'assistant.message', byte: 22, text: 'All six.' }),
];

/**
 * Sizes of a small window, an editor above an open panel, a narrow column, and a wide low editor.
 */
const SIZES = [
  [1280, 720],
  [600, 340],
  [460, 640],
  [466, 400],
  [1000, 340],
  [1200, 340],
] as const;
/** The smallest size at which each part is usable. */
const LEAST_SIZES = {
  '.player': { width: 300, height: 140 },
  '.moments-list': { width: 140, height: 140 },
  '.filters .chip:first-child': { width: 20, height: 18 },
  '.track': { width: 400, height: 18 },
  '.controls > *': { width: 0, height: 0 },
  '.controls .play': { width: 24, height: 24 },
  '.bar .primary': { width: 100, height: 22 },
  '.search-box': { width: 70, height: 24 },
};

/**
 * Runs in the page: for each moment with a detail, how much of its name is cut off, and the width
 * and visibility of the detail.
 */
const DETAILS = `Array.from(document.querySelectorAll('.moment-detail'), (detail) => {
  const go = detail.closest('.moment-go').getBoundingClientRect();
  const title = detail.parentElement.querySelector('.moment-title');
  const { top, width } = detail.getBoundingClientRect();
  return [title.scrollWidth - title.clientWidth, width, top < go.bottom - 4];
})`;

describe('the parts of the timeline', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();
  const open = (options = {}) => pages.open(RECORDS, { events: EVENTS, ...options });

  const pressed = (timeline: StandaloneTimeline, text: string) =>
    timeline.frame.locator('.controls .chip', { hasText: text }).getAttribute('aria-pressed');

  it('draws the output over time', async () => {
    const timeline = await open();
    // Colours come from the editor's theme.
    const heights = (): Promise<number[]> => timeline.page.evaluate(HEIGHTS);
    await timeline.page.addStyleTag({ content: ':root { --heat-fill: #00f; --heat-line: #00f }' });
    await timeline.press('d');
    await timeline.press('d');
    await until(async () => Math.max(...(await heights())) > 20, 'a silhouette', 10_000);
    const all = await heights();
    const quiet = all.filter((height) => height <= 2).length;
    assert.ok(quiet > all.length / 4, 'flat where nothing was printed');
  });

  it('marks moments by kind, with details on a card', async () => {
    const timeline = await open();
    const { frame, page } = timeline;
    for (const kind of ['prompt', 'snapshot', 'message']) {
      await frame.locator(`.marker.kind-${kind}, .marker.is-error`).first().waitFor();
    }
    // Prompt and tool call are close enough for one mark, which shows the error.
    const marker = frame.locator('.marker.is-error').first();
    await marker.hover();
    const card = frame.locator('.card');
    await card.waitFor();
    assert.match((await card.textContent()) ?? '', /Bash npm test/);
    await page.mouse.move(640, 200);
    await card.waitFor({ state: 'hidden' });
    await frame.locator('.marker.kind-message').hover();
    assert.match((await card.textContent()) ?? '', /All six\..*5:04/s);
    await frame.locator('.marker.kind-message').click();
    await timeline.settled();
    assert.equal(await timeline.byteOffset(), 22);
    const box = (await timeline.track.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10);
    assert.match((await card.textContent()) ?? '', /^\d+:\d\d\.\d · /);
  });

  it('lists moments by name, with details where they fit', async () => {
    const timeline = await open();
    const { frame, page } = timeline;
    await frame.locator('.moment.kind-prompt').waitFor();
    for (const width of [1600, 1100, 900]) {
      await page.setViewportSize({ width, height: 800 });
      const rows: [number, number, boolean][] = await frame.locator('body').evaluate(DETAILS);
      assert.ok(rows.length >= 2);
      for (const [nameCut, detailWidth, isSeen] of rows) {
        if (isSeen)
          assert.ok(nameCut <= 0 && detailWidth >= 30, `${width}: ${nameCut} ${detailWidth}`);
      }
      if (width === 1600) assert.ok(rows.every(([, , isSeen]) => isSeen));
    }
    const tool = frame.locator('.moment.kind-tool');
    await tool.locator('.moment-go').click();
    assert.ok((await tool.locator('.moment-actions button').count()) > 0);
    assert.ok(await tool.locator('.moment-actions').isVisible());
    await page.mouse.move(300, 300);
    await tool.locator('.moment-actions').waitFor({ state: 'hidden' });
    assert.equal(await tool.getAttribute('aria-current'), 'true');
  });

  for (const [width, height] of SIZES) {
    it(`shows player, list and controls at ${width} × ${height}`, async () => {
      const { frame } = await open({ viewport: { width, height } });
      await frame.locator('.moment.kind-prompt').waitFor();
      for (const [part, least] of Object.entries(LEAST_SIZES)) {
        for (const each of await frame.locator(part).all()) {
          if (!(await each.isVisible())) continue;
          const box = (await each.boundingBox())!;
          assert.ok(box.x >= 0 && box.x + box.width <= width, `${part} is cut`);
          assert.ok(box.y >= 0 && box.y + box.height <= height, `${part} is cut`);
          const size = `${part}: ${box.width} × ${box.height}`;
          assert.ok(box.width >= least.width && box.height >= least.height, size);
        }
      }
    });

    it(`covers no part of the scrubber with a card at ${width} × ${height}`, async () => {
      const { frame, page } = await open({ viewport: { width, height } });
      const box = async (part: string) => (await frame.locator(part).first().boundingBox())!;
      const track = await box('.track');
      const scrubber = await box('.scrubber');
      const assertAbove = async (what: string) => {
        const card = await box('.card');
        assert.ok(card.y >= 0 && card.x >= 0 && card.x + card.width <= width, `${what} is cut`);
        assert.ok(card.y + card.height <= scrubber.y, `${what} covers the scrubber`);
        assert.ok(card.height <= height / 2, `${what} leaves ${height - card.height} px`);
      };
      await frame.locator('.marker.is-error').hover();
      await assertAbove('the card of a moment');
      for (const share of [0.01, 0.5, 0.99]) {
        await page.mouse.move(track.x + track.width * share, track.y + 5);
        await frame.locator('.card .thumbnail').waitFor();
        await assertAbove(`the thumbnail at ${share}`);
      }
    });
  }

  it('uses the editor’s language, also for agent activity', async () => {
    const timeline = await open({ language: 'de', viewport: { width: 1600, height: 800 } });
    const detail = timeline.frame.locator('.moment.kind-tool .moment-detail');
    await detail.waitFor();
    assert.equal(await detail.textContent(), 'fehlgeschlagen · Exitcode 2');
    assert.match((await timeline.frame.locator('.facts').textContent())!, /^seit 0/);
    await timeline.frame.locator('.marker.kind-message').hover();
    assert.doesNotMatch((await timeline.frame.locator('.card').textContent())!, /[AP]M/);
  });

  it('folds idle time and labels it, skips it while playing, and shows it on request', async () => {
    const timeline = await open();
    const gap = timeline.frame.locator('.gap');
    await gap.waitFor();
    assert.match((await gap.textContent()) ?? '', /5 min/);
    const width = async () =>
      (await gap.boundingBox())!.width / (await timeline.track.boundingBox())!.width;
    assert.ok((await width()) < 0.15, 'an idle hour would not leave room for anything else');
    const box = (await gap.boundingBox())!;
    await timeline.page.mouse.move(box.x + box.width / 2, box.y + 10);
    assert.match((await timeline.frame.locator('.card').textContent()) ?? '', /idle 5 min/);
    await timeline.press('Home');
    await timeline.setSpeed(4);
    const startedAt = Date.now();
    await timeline.startPlaying();
    await timeline.paused();
    assert.equal(await timeline.byteOffset(), BYTES);
    assert.ok(Date.now() - startedAt < 60_000, 'five minutes at four times would be 75 seconds');
    assert.equal(await pressed(timeline, 'Skip idle'), 'true');
    await timeline.press('d');
    assert.equal(await pressed(timeline, 'Skip idle'), 'false');
    assert.equal(await gap.count(), 0);
    assert.ok(await timeline.frame.locator('.chip', { hasText: 'Follow' }).isHidden());
  });

  for (const [language, label] of [
    ['en', 'not recorded, 5 min'],
    ['de', 'nicht aufgezeichnet, 5 min'],
  ] as const) {
    it(`labels a pause of the recording in “${language}”, folded or not`, async () => {
      const mark = (code: number, tsNs: bigint): AhrRecord => ({
        kind: 'mark',
        code,
        tsNs,
        value: 0,
      });
      const records = [
        ...OUTPUT.slice(0, 4),
        mark(MARK_PAUSE, 4n * SECOND_NS),
        // The terminal may be resized during the pause.
        { kind: 'resize', tsNs: 60n * SECOND_NS, cols: 50, rows: 10 } as const,
        mark(MARK_RESUME, 4n * SECOND_NS + PAUSE_NS - 1n),
        ...OUTPUT.slice(4),
      ];
      const timeline = await pages.open(records, { language });
      const gap = timeline.frame.locator('.gap');
      await gap.waitFor();
      assert.equal(await gap.count(), 1);
      const box = (await gap.boundingBox())!;
      await timeline.page.mouse.move(box.x + box.width / 2, box.y + 10);
      const card = (await timeline.frame.locator('.card').textContent()) ?? '';
      assert.ok(card.endsWith(` · ${label}`), card);
      await timeline.press('d');
      await until(async () => (await gap.textContent()) === label, 'the label');
      const moment = timeline.frame.locator('.moment.kind-mark').first();
      assert.ok(((await moment.textContent()) ?? '').toLowerCase().includes(label));
    });
  }

  it('plays from a quarter to 32 times', async () => {
    const quick = OUTPUT.map((record) => ({ ...record, tsNs: record.tsNs / 4n }));
    const timeline = await pages.open(quick);
    const select = timeline.frame.locator('.controls select');
    const speeds = await select.locator('option').allTextContents();
    assert.deepEqual(speeds, ['0.25×', '0.5×', '1×', '2×', '4×', '8×', '16×', '32×']);
    for (const [key, times, speed] of [
      ['>', 5, '32'],
      ['>', 1, '32'],
      ['<', 7, '0.25'],
      ['<', 1, '0.25'],
    ] as const) {
      for (let press = 0; press < times; press++) await timeline.press(key);
      assert.equal(await select.inputValue(), speed);
    }
    await timeline.press('Home');
    const byteAt = async (bytes: number) => {
      await until(async () => (await timeline.byteOffset()) >= bytes, `byte ${bytes}`, 30_000);
      return Date.now();
    };
    const start = Date.now();
    await timeline.startPlaying();
    // A late measurement is longer, never shorter.
    const playedMs = (await byteAt(10)) - start;
    assert.ok(playedMs > PLAYED_MS, `${playedMs} ms to the second output`);
    await timeline.page.keyboard.press('Space');
    await timeline.setSpeed(32);
    await timeline.startPlaying();
    await timeline.paused();
    assert.equal(await timeline.byteOffset(), BYTES);
  });

  it('shows time and byte offset, zooms in, and shows everything again', async () => {
    const timeline = await open();
    assert.equal(await timeline.byteText(), '@34 of 34 B');
    assert.equal(await timeline.positionText(), '5:06.0 / 5:06');
    await timeline.frame.locator('.moment-go', { hasText: 'count to six' }).click();
    await timeline.settled();
    assert.equal(await timeline.byteText(), '@5 of 34 B');
    assert.match(await timeline.positionText(), /^0:01\.\d \/ 5:06$/);
    const all = timeline.frame.locator('[aria-label^="Zoom to fit"]');
    assert.ok(await all.isDisabled());
    const distance = async () => {
      const marks = timeline.frame.locator('.marker');
      const [first, last] = [await marks.first().boundingBox(), await marks.last().boundingBox()];
      return { first: first!.x, last: last!.x, count: await marks.count() };
    };
    const before = await distance();
    for (let press = 0; press < 4; press++) await timeline.press('+');
    assert.equal(await all.isDisabled(), false);
    const near = await distance();
    assert.ok(near.count !== before.count || near.last - near.first > before.last - before.first);
    await timeline.press('-');
    await timeline.press('0');
    assert.deepEqual(await distance(), before);
    // The wheel zooms around the pointer; with Shift it scrolls the axis.
    const box = (await timeline.track.boundingBox())!;
    await timeline.page.mouse.move(box.x + box.width / 4, box.y + 10);
    await timeline.page.mouse.wheel(0, -300);
    await until(async () => !(await all.isDisabled()), 'the wheel to zoom', 5000);
    await all.click();
    await until(() => all.isDisabled(), 'all of it to be shown', 5000);
  });

  it('draws branches from their moment, and opens their sessions', async () => {
    const branch = { byteOffset: 10, durationMs: 90_000, isRunning: false };
    const branches = [
      { ...branch, sessionId: 'b1', name: 'use a queue', timeMs: 2000 },
      { ...branch, sessionId: 'b2', name: 'use a clock', timeMs: 304_000, isRunning: true },
    ];
    const timeline = await open({ branches });
    const lanes = timeline.frame.locator('.lane');
    await lanes.nth(1).waitFor();
    // Wait for the moments: they come after the gaps that determine the layout.
    const marker = timeline.frame.locator('.marker.kind-snapshot');
    await marker.waitFor();
    await timeline.settled();
    assert.deepEqual(await lanes.allTextContents(), [
      'use a queue · 2 min',
      'use a clock · running, 2 min',
    ]);
    const [first, second] = [
      (await lanes.nth(0).boundingBox())!,
      (await lanes.nth(1).boundingBox())!,
    ];
    assert.ok(first.x < second.x, 'the later one leaves later');
    const snapshot = (await marker.boundingBox())!;
    const middle = snapshot.x + snapshot.width / 2;
    assert.ok(
      Math.abs(first.x - middle) < 12,
      `it leaves at ${first.x}, the moment is at ${middle}`,
    );
    assert.ok(second.y > first.y, 'each in a lane of its own');
    await lanes.nth(1).click();
    await until(() => timeline.openedSessions.length > 0, 'the session to be opened');
    assert.deepEqual(timeline.openedSessions, [{ sessionId: 'b2', byteOffset: null }]);
  });

  it('says what a branch is a branch of, and goes to that moment', async () => {
    const origin = { sessionId: 'the original', name: 'pool', clock: '14:32', byteOffset: 10 };
    const timeline = await open({ session: { origin } });
    const line = timeline.frame.locator('.origin');
    assert.equal(await line.innerText(), 'branch of pool at 14:32');
    assert.match(
      (await line.getAttribute('title'))!,
      /^branch of pool at 14:32\nOpen the original/,
    );
    await line.click();
    await until(() => timeline.openedSessions.length > 0, 'the original to be opened');
    const { sessionId, byteOffset } = origin;
    assert.deepEqual(timeline.openedSessions, [{ sessionId, byteOffset }]);
    timeline.setSession({ origin: null });
    await line.waitFor({ state: 'hidden' });
  });
});

/** Runs in the page: the number of filled pixels in each column of the output graph. */
const HEIGHTS = `(() => {
  const canvas = document.querySelector('.heat');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  return Array.from({ length: width }, (_, x) => {
    let filled = 0;
    for (let y = 0; y < height; y++) if (data[(y * width + x) * 4 + 3] > 0) filled++;
    return filled;
  });
})()`;
