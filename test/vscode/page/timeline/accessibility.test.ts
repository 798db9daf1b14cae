import assert from 'node:assert/strict';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const RECORDS = recordsOf([60, 10], 'one\r\n', 'two\r\n', 'three');
const EVENTS = [eventLine(1, { id: 'p', kind: 'user.prompt', byte: 5, text: 'count' })];

describe('accessibility of the timeline', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  it('names every control and landmark', async () => {
    const origin = { sessionId: 'it', name: 'The original', clock: '14:32', byteOffset: 5 };
    const timeline = await pages.open(RECORDS, { events: EVENTS, session: { origin } });
    await timeline.frame.locator('.moment').first().waitFor();
    await timeline.page.keyboard.press('?');
    const nameless: string[] = await timeline.page.evaluate(NAMELESS);
    assert.deepEqual(nameless, []);
    await timeline.page.keyboard.press('Escape');
    const { frame } = timeline;
    for (const part of [
      'section[aria-label="Recorded terminal"]',
      'aside[aria-label="Moments"]',
      '[role="search"]',
      '[role="toolbar"][aria-label]',
      'dialog[aria-label="Keys"]',
    ]) {
      assert.equal(await frame.locator(part).count(), 1, part);
    }
    const slider = frame.locator('[role="slider"]');
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^0:00 of 0:00$/);
    for (const name of ['aria-valuemin', 'aria-valuemax', 'aria-valuenow', 'aria-label']) {
      assert.notEqual(await slider.getAttribute(name), null, name);
    }
    assert.equal(await frame.locator('[role="status"][aria-live="polite"]').count(), 1);
    assert.equal(await frame.locator('.notice[role="status"]').count(), 1);
    assert.equal(await frame.locator('.search-result[role="status"]').count(), 1);
  });

  it('shows the focus', async () => {
    const timeline = await pages.open(RECORDS, { events: EVENTS });
    const unseen: string[] = [];
    await timeline.press('/');
    for (let stop = 0; stop < 20; stop++) {
      await timeline.page.keyboard.press('Tab');
      const seen: string = await timeline.page.evaluate(FOCUS_LOOK);
      if (seen === '') break;
      if (seen.startsWith('nothing')) unseen.push(seen);
    }
    assert.deepEqual(unseen, []);
  });

  it('draws dim text and marks readably in high contrast', async () => {
    const dim = [34, 90, 31].map((color) => `\x1b[2;${color}mdim\x1b[0m`).join(' ');
    const timeline = await pages.open(recordsOf([60, 10], `\x1b[2mdim\x1b[0m ${dim} end`));
    await timeline.page.evaluate(HIGH_CONTRAST);
    await timeline.shows('end');
    const dimmed = timeline.frame.locator('.player .xterm-dim').first();
    await dimmed.waitFor();
    await timeline.press('Home');
    await timeline.press('End');
    const contrasts: number[] = await timeline.page.evaluate(CONTRASTS);
    assert.equal(contrasts.length, 4);
    for (const contrast of contrasts) assert.ok(contrast >= 4.5, contrasts.join());
    const mark: string = await timeline.page.evaluate(MARK_COLOR);
    assert.doesNotMatch(mark, /\//, 'a mark is not transparent');
    assert.match(mark, /^color\(srgb/);
  });

  it('has no transitions with reduced motion', async () => {
    for (const isMotionReduced of [false, true]) {
      const timeline = await pages.open(RECORDS, { isMotionReduced });
      const moving: number = await timeline.page.evaluate(MOVING);
      assert.equal(moving > 0, !isMotionReduced, `${moving} elements have transitions`);
    }
  });
});

/** Runs in the page: controls without an accessible name. */
const NAMELESS = `[...document.querySelectorAll('button, select, input, textarea, [tabindex="0"], dialog')]
  .filter((element) => !element.closest('.xterm'))
  .filter((element) => !(element.getAttribute('aria-label') || element.labels?.length || element.textContent.trim()))
  .map((element) => element.outerHTML.slice(0, 120))`;

/** Runs in the page: how the focused element differs from the others; empty without focus. */
const FOCUS_LOOK = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return '';
  const look = (each) => {
    const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(each);
    return outlineStyle !== 'none' && outlineWidth !== '0px' ? 'outline' : borderColor;
  };
  const isSeen = look(element) === 'outline' || element.closest('.search-box, .player');
  return (isSeen ? 'something' : 'nothing') + ' ' + element.outerHTML.slice(0, 100);
})()`;

/** Runs in the page: the colors of a high-contrast theme, as far as this test needs them. */
const HIGH_CONTRAST = `(() => {
  const { style } = document.documentElement;
  const colors = {
    'terminal-background': '#000000', 'terminal-foreground': '#ffffff',
    'terminal-ansiBlue': '#0000ee', 'terminal-ansiRed': '#cd0000', 'terminal-ansiBrightBlack': '#7f7f7f',
    'charts-red': '#f48771', 'charts-yellow': '#ffd370', 'charts-orange': 'rgba(234, 92, 0, 0.33)',
  };
  for (const [name, color] of Object.entries(colors)) style.setProperty('--vscode-' + name, color);
  document.body.className = 'vscode-high-contrast';
})()`;

/** Runs in the page: the contrast of each dim text with black. */
const CONTRASTS = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  const luminance = (color) => {
    context.fillStyle = '#000';
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return [...document.querySelectorAll('.player .xterm-dim')]
    .filter(({ textContent }) => textContent.trim() !== '')
    .map((span) => (luminance(getComputedStyle(span).color) + 0.05) / 0.05);
})()`;

/** Runs in the page: the color of a mark, such as that of a pause. */
const MARK_COLOR = `(() => {
  const row = document.createElement('div');
  row.className = 'kind-mark';
  row.innerHTML = '<span class="codicon"></span>';
  document.body.append(row);
  return getComputedStyle(row.firstElementChild).color;
})()`;

/** Runs in the page: the number of elements with transitions. */
const MOVING = `[...document.querySelectorAll('*')].filter((element) => {
  const { transitionDuration, animationName } = getComputedStyle(element);
  return !element.closest('.xterm') && (parseFloat(transitionDuration) > 0 || animationName !== 'none');
}).length`;
