import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const EVIL = '<img src=x onerror="hacked=1"><script>hacked=1</script>';
/** Reverses the direction of the text after it. */
const TURNED = '\u202etxt.exe\u2066';
const UNSEEN = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const LONG_LINK = `\x1b]8;;https://long.example/${'a'.repeat(3_000_000)}\x07long\x1b]8;;\x07`;

const OUTPUT = recordsOf(
  [80, 10],
  `\x1b]0;${EVIL}${TURNED}\x07${EVIL}\r\n`,
  `\x1b]8;;javascript:hacked=1\x07here\x1b]8;;\x07 ${LONG_LINK}\r\n`,
  `\x1b]8;;https://a.example/${TURNED}${'b'.repeat(3000)}\x07there\x1b]8;;\x07\r\n`,
);
const RECORDS: readonly AhrRecord[] = [
  ...OUTPUT,
  {
    kind: 'snapshot',
    tsNs: OUTPUT.at(-1)!.tsNs + 1n,
    snapshotId: 3n,
    anchorByte: 60,
    label: `${EVIL}\r\n${TURNED}\x1b]0;x\x07`,
  },
];
const tool = { byte: 61, tool: `Bash${EVIL}`, callId: '1' };
const input = { command: `echo ${TURNED}\n${EVIL}` };
const EVENTS = [
  eventLine(1, { id: 'p', kind: 'user.prompt', byte: 60, text: `${EVIL}${TURNED}` }),
  eventLine(1, { id: 'm', kind: 'assistant.message', byte: 60, text: `${EVIL}${TURNED}` }),
  eventLine(2, { ...tool, id: 'c', kind: 'tool.call', action: 'shell', input, title: TURNED }),
  eventLine(3, { ...tool, id: 'a', kind: 'approval.requested', input, title: `${EVIL}${TURNED}` }),
  eventLine(4, {
    ...tool,
    id: 'r',
    kind: 'tool.result',
    outcome: 'failed',
    summary: EVIL,
    files: [`${TURNED}${EVIL}`],
  }),
  // In a row of its own, since the tool call is unknown.
  eventLine(4, {
    ...tool,
    id: 'b',
    callId: '2',
    kind: 'approval.requested',
    input,
    title: `${EVIL}${TURNED}`,
  }),
  eventLine(5, { id: 'e', kind: 'error', byte: 62, message: `${EVIL}${TURNED}` }),
];

describe('the timeline of a hostile recording', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  it('shows text as text everywhere', async () => {
    const name = `${EVIL}${TURNED}`;
    const branch = { sessionId: 'b', timeMs: 0, byteOffset: 0, durationMs: 9, isRunning: false };
    const timeline = await pages.open(RECORDS, {
      events: EVENTS,
      session: { name },
      branches: [{ ...branch, name }],
    });
    const { frame, page } = timeline;
    const scripts = await frame.locator('script').count();
    await frame.locator('.moment.kind-approval').waitFor();
    for (const marker of await frame.locator('.marker').all()) {
      await marker.hover();
      assert.equal(await frame.locator('.card script, .card img').count(), 0);
      assert.doesNotMatch((await frame.locator('.card').textContent())!, UNSEEN);
    }
    for (const row of await frame.locator('.moment-go').all()) {
      await row.click();
      await timeline.settled();
    }
    await timeline.press('/');
    await page.keyboard.type('script');
    await timeline.settled();
    assert.equal(await frame.locator('body').evaluate('String(globalThis.hacked)'), 'undefined');
    assert.equal(await frame.locator('script').count(), scripts);
    const active = 'img, a[href]:not(.load-failure a, .notice a), iframe, object, form';
    assert.equal(await frame.locator(active).count(), 0);
    const list = (await frame.locator('.moments').textContent())!;
    assert.match(list, /<script>hacked=1/);
    assert.doesNotMatch(list, UNSEEN);
    const tips: string[] = await frame
      .locator('body')
      .evaluate("Array.from(document.querySelectorAll('.moments [title]'), ({ title }) => title)");
    assert.ok(tips.some((tip) => tip.includes('echo ⟨U+202E⟩txt.exe⟨U+2066⟩\n<img')));
    for (const tip of tips) assert.doesNotMatch(tip, UNSEEN);
  });

  it('opens no link, and shows its address', async () => {
    const timeline = await pages.open(RECORDS);
    const { frame, page } = timeline;
    await timeline.press('End');
    const row = async (text: string) => {
      const line = frame.locator('.player .xterm-rows > div', { hasText: text });
      return (await line.boundingBox())!;
    };
    const tip = () => frame.locator('.player').getAttribute('title');
    const there = await row('there');
    await page.mouse.move(there.x + 10, there.y + there.height / 2, { steps: 4 });
    await page.waitForFunction("document.querySelector('.player').title !== ''");
    const said = (await tip())!;
    assert.match(said, /^https:\/\/a\.example\//);
    assert.ok(said.length <= 300);
    assert.doesNotMatch(said, UNSEEN);
    const here = await row('here long');
    await page.keyboard.down('Control');
    await page.mouse.click(here.x + 10, here.y + here.height / 2);
    await page.keyboard.up('Control');
    await page.mouse.click(there.x + 10, there.y + there.height / 2);
    await timeline.settled();
    assert.equal(await frame.locator('body').evaluate('String(globalThis.hacked)'), 'undefined');
    assert.equal(page.context().pages().length, 1);
    assert.equal(page.url(), 'http://timeline.test/');
  });
});
