import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const SECOND_NS = 1_000_000_000n;
const OUTPUT = recordsOf(
  [60, 10],
  ...Array.from({ length: 9 }, (_, step) => `word ${step}\r\n`),
).map((record, index) => ({ ...record, tsNs: BigInt(index) * SECOND_NS }));
const BYTES = 72;
const snapshot = (id: bigint, afterBytes: number): AhrRecord => ({
  kind: 'snapshot',
  tsNs: BigInt(afterBytes / 8) * SECOND_NS + 1n,
  snapshotId: id,
  anchorByte: afterBytes,
  label: `snapshot ${id}`,
});
const RECORDS = [...OUTPUT, snapshot(1n, 24), snapshot(2n, 56)].sort((a, b) =>
  a.tsNs < b.tsNs ? -1 : 1,
);
const EVENTS = [
  eventLine(2000, { id: 'p1', kind: 'user.prompt', byte: 16, text: 'first' }),
  eventLine(5000, { id: 'p2', kind: 'user.prompt', byte: 40, text: 'second' }),
];

describe('the timeline by keyboard', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();
  let timeline: StandaloneTimeline;
  beforeEach(async () => {
    timeline = await pages.open(RECORDS, { events: EVENTS });
    await timeline.frame.locator('.moment', { hasText: 'second' }).waitFor();
  });

  /** The position after each key. */
  async function led(...keys: readonly string[]): Promise<number[]> {
    const places: number[] = [];
    for (const key of keys) {
      await timeline.press(key);
      places.push(await timeline.byteOffset());
    }
    return places;
  }
  const announced = () => timeline.frame.locator('[aria-live="polite"]').last().textContent();

  it('steps by output, moment, snapshot, page and small step, and to either end', async () => {
    assert.equal(await timeline.byteOffset(), BYTES);
    assert.deepEqual(await led('j', 'J', 'k', 'K'), [64, 56, 64, 72]);
    assert.deepEqual(await led('g', 'G', 'Home', 'End'), [0, BYTES, 0, BYTES]);
    assert.deepEqual(await led('[', '[', ']', '['), [56, 40, 56, 40]);
    assert.equal((await announced())?.trim(), 'second, 0:05');
    assert.deepEqual(await led('{', '}', '}'), [24, 56, 56]);
    assert.equal((await announced())?.trim(), 'No later moment');
    assert.deepEqual(await led('Home', 'PageDown', 'PageDown', 'PageUp'), [0, 0, 8, 0]);
    const [little] = await led('End', 'ArrowLeft').then((places) => places.slice(-1));
    assert.equal(little, 64);
    assert.deepEqual(await led('ArrowRight', 'ArrowRight'), [BYTES, BYTES]);
  });

  it('plays, pauses, and changes speed, zoom and idle skipping', async () => {
    await timeline.press('Home');
    const { keyboard } = timeline.page;
    const play = timeline.frame.locator('.controls .play');
    const label = () => play.getAttribute('aria-label');
    await keyboard.press('Space');
    await until(async () => (await label())?.startsWith('Pause') === true, 'it to play');
    await keyboard.press('Space');
    await until(async () => (await label())?.startsWith('Play') === true, 'it to pause');
    await keyboard.press('l');
    await until(async () => (await label())?.startsWith('Pause') === true, 'it to play again');
    await keyboard.press('L');
    assert.match((await label()) ?? '', /^Pause/, 'what plays goes on playing');
    await keyboard.press('Space');
    await led('>', '>');
    assert.equal(await timeline.frame.locator('.controls select').inputValue(), '4');
    assert.match((await announced()) ?? '', /^Speed 4×/);
    await led('<');
    assert.equal(await timeline.frame.locator('.controls select').inputValue(), '2');
    const all = timeline.frame.locator('[aria-label^="Zoom to fit"]');
    await led('+', '=');
    assert.equal(await all.isDisabled(), false);
    await led('-', '-');
    assert.ok(await all.isDisabled());
    await led('+', '0');
    assert.ok(await all.isDisabled());
    const idle = timeline.frame.locator('.chip', { hasText: 'Skip idle' });
    await led('d');
    assert.equal(await idle.getAttribute('aria-pressed'), 'false');
    await led('f');
    assert.equal(await timeline.byteOffset(), BYTES);
  });

  it('searches, and goes from match to match', async () => {
    const { keyboard } = timeline.page;
    await timeline.press('/');
    await keyboard.type('word [246]');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Space'); // The button for expressions.
    const result = timeline.frame.locator('.search-result');
    await timeline.frame.locator('.search-result', { hasText: /^3$/ }).waitFor();
    const hits = timeline.frame.locator('.hit');
    await until(async () => (await hits.count()) === 3, 'the hits on the line', 5000);
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await timeline.frame.locator('.search-result', { hasText: '1 of 3' }).waitFor();
    await keyboard.press('Shift+Enter');
    await timeline.frame.locator('.search-result', { hasText: '3 of 3' }).waitFor();
    await timeline.press('n');
    await timeline.shows('word 2');
    await timeline.press('n');
    assert.equal(await result.textContent(), '2 of 3');
    await timeline.press('N');
    assert.equal(await result.textContent(), '1 of 3');
    assert.match((await announced()) ?? '', /word 2, 0:03/);
    await timeline.press('/');
    await keyboard.press('Escape');
    await until(async () => (await hits.count()) === 0, 'the hits to be gone', 5000);
    assert.equal(await timeline.frame.locator('.player:focus').count(), 1);
  });

  it('branches, and opens the snapshot, at the current position', async () => {
    await timeline.press('{');
    await timeline.instruct('');
    await timeline.press('s');
    await until(() => timeline.actions.length === 2, 'both to be asked for');
    const asked = timeline.actions.map(({ action, byteOffset }) => [action, byteOffset]);
    assert.deepEqual(asked, [
      ['branch', 56],
      ['snapshot', 56],
    ]);
    await timeline.press('Home');
    await timeline.press('s');
    await timeline.frame.locator('.notice', { hasText: 'No snapshot' }).waitFor();
  });

  it('branches at the playing position, after leaving a moment', async () => {
    await timeline.press('{');
    await timeline.press(' ');
    await until(async () => (await timeline.byteOffset()) > 56, 'it to play', 10_000);
    await timeline.instruct('');
    await until(() => timeline.actions.length === 1, 'it to be asked for');
    const [asked] = timeline.actions;
    assert.equal(asked?.momentId, null);
    assert.ok(asked.byteOffset > 56, String(asked.byteOffset));
  });

  it('takes keys after a click on the terminal', async () => {
    await timeline.frame.locator('.player .xterm-screen').click();
    await timeline.page.keyboard.press('Home');
    await timeline.settled();
    assert.equal(await timeline.byteOffset(), 0);
  });

  it('opens and closes the list of keys by key', async () => {
    await timeline.page.keyboard.press('?');
    const help = timeline.frame.locator('dialog.help');
    await help.waitFor();
    const listed = (await help.locator('kbd').allTextContents()).join(' ');
    for (const key of 'Space J K L [ ] { } i s / n N g G PgUp PgDn ← → < > f d + - 0 t T r ?'.split(
      ' ',
    )) {
      assert.ok(` ${listed} `.includes(` ${key} `), key);
    }
    assert.match((await help.textContent()) ?? '', /Home, End/);
    await timeline.page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });

  it('reaches every control with Tab, with one stop for the list of moments', async () => {
    const { keyboard } = timeline.page;
    await timeline.press('/');
    const stops: string[] = ['Search'];
    const reached = (): Promise<string> => timeline.page.evaluate(NAME_OF_REACHED);
    for (let stop = 0; stop < 30; stop++) {
      await keyboard.press('Tab');
      if ((await timeline.frame.locator(':focus').count()) === 0) break;
      stops.push(await reached());
    }
    const all = stops.join('\n');
    for (const part of [
      'Search',
      'Branch here',
      'All',
      'Position',
      'Play',
      'Speed',
      'Zoom in',
      'Keys',
    ]) {
      assert.ok(all.includes(part), `${part} in:\n${all}`);
    }
    assert.equal(stops.filter((stop) => /, at \d:/.test(stop)).length, 1);
    // In the list, arrow keys move the focus, and Enter goes to the moment.
    await timeline.frame.locator('.moment-go', { hasText: 'first' }).focus();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    assert.match(await reached(), /^Prompt: second, at 0:05/);
    await keyboard.press('Enter');
    await timeline.settled();
    assert.equal(await timeline.byteOffset(), 40);
    await keyboard.press('Tab');
    assert.equal(await reached(), 'Branch here');
  });

  it('ignores keys of the editor and the browser', async () => {
    await timeline.press('Home');
    for (const key of ['Control+g', 'Alt+j', 'Control+Shift+P']) await timeline.press(key);
    assert.equal(await timeline.byteOffset(), 0);
    assert.ok(await timeline.frame.locator('dialog.help').isHidden());
  });
});

/** Runs in the page: the accessible name of the focused element. */
const NAME_OF_REACHED = `(() => {
  const element = document.activeElement;
  return element.getAttribute('aria-label') ?? (element.textContent || element.className);
})()`;
