import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { eventLine, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const SECOND_NS = 1_000_000_000n;

/** A second apart; each output has five bytes. */
const OUTPUT = recordsOf([60, 10], 'aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee').map(
  (record, index) => ({ ...record, tsNs: BigInt(index) * SECOND_NS }),
);

const snapshot = (snapshotId: bigint, atMs: number, anchorByte: number, label: string) => {
  const tsNs = BigInt(atMs) * 1_000_000n;
  return { kind: 'snapshot', tsNs, snapshotId, anchorByte, label } as const;
};

const RECORDS: readonly AhrRecord[] = [
  ...OUTPUT.slice(0, 4),
  snapshot(1n, 3500, 15, 'npm test'),
  ...OUTPUT.slice(4),
  snapshot(2n, 5500, 25, 'Commit 8999f3e Bankers'),
];

const tool = { tool: 'Bash', callId: '1', action: 'shell', input: { command: 'npm test' } };
const call = { ...tool, byte: 5, title: 'npm test' };
const EVENTS = [
  eventLine(1000, { id: 'p', kind: 'user.prompt', byte: 5, text: 'fix the tests' }),
  eventLine(1100, { id: 'm', kind: 'assistant.message', byte: 5, text: 'I run them first.' }),
  eventLine(1500, { id: 'c', kind: 'tool.call', ...call }),
  eventLine(2000, { id: 'a', kind: 'approval.requested', ...call, byte: 10 }),
];
const ANSWER = [
  eventLine(2500, { id: 'd', kind: 'approval.resolved', callId: '1', decision: 'allowed' }),
  eventLine(3500, {
    id: 'r',
    kind: 'tool.result',
    byte: 15,
    tool: 'Bash',
    callId: '1',
    outcome: 'failed',
    exitCode: 1,
    summary: '',
    files: ['a.ts', 'b.ts'],
  }),
];

describe('the row of a tool call', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();

  const open = (records = RECORDS, events = [...EVENTS, ...ANSWER]) =>
    pages.open(records, { events, viewport: { width: 1600, height: 800 } });
  const rowsOf = (timeline: StandaloneTimeline) =>
    timeline.frame
      .locator('.moment')
      .evaluateAll((rows) =>
        rows.map((row) => (row as { readonly dataset: { readonly id?: string } }).dataset.id),
      );

  it('shows its message, approval, files and snapshot', async () => {
    const timeline = await open();
    const row = timeline.frame.locator('.moment.kind-tool');
    await row.waitFor();
    assert.deepEqual(await rowsOf(timeline), ['event-p', 'event-c', 'snapshot-2-25']);
    assert.equal(
      await row.locator('.moment-detail').textContent(),
      'allowed · failed · exit 1 · 2 files · I run them first.',
    );
    assert.equal(await row.locator('.moment-number').textContent(), '#1');
  });

  it('shows a question that waits, and reveals it', async () => {
    const timeline = await open(OUTPUT, EVENTS);
    const row = timeline.frame.locator('.moment.kind-approval');
    await row.waitFor();
    assert.deepEqual(await rowsOf(timeline), ['event-p', 'event-c']);
    assert.match((await row.locator('.moment-detail').textContent())!, /^approval requested · /);
    await row.hover();
    await row.locator('[aria-label^="Reveal"]').click();
    await until(() => timeline.actions.length > 0, 'it to be asked for');
    assert.deepEqual(
      timeline.actions.map(({ action, momentId }) => [action, momentId]),
      [['reveal', 'event-a']],
    );
  });

  it('opens, compares, restores and branches from its snapshot', async () => {
    const timeline = await open();
    const row = timeline.frame.locator('.moment.kind-tool');
    await row.hover();
    await row.locator('[aria-label^="Branch"]').click();
    await timeline.writeInstruction('go on');
    const names = ['Open this', 'Compare with', 'Restore', 'Copy link'];
    for (const name of names) {
      await row.hover();
      await row.locator(`[aria-label^="${name}"]`).click();
    }
    await until(() => timeline.actions.length === 1 + names.length, 'them to be asked for');
    assert.deepEqual(
      timeline.actions.map(({ action, momentId }) => [action, momentId]),
      [
        ['branch', 'snapshot-1-15'],
        ['snapshot', 'snapshot-1-15'],
        ['diff', 'snapshot-1-15'],
        ['restore', 'snapshot-1-15'],
        ['link', 'event-c'],
      ],
    );
  });

  it('keeps the time of every row in view, also while it is hovered', async () => {
    const timeline = await open();
    const rows = timeline.frame.locator('.moment');
    await rows.first().waitFor();
    for (const width of [1600, 700]) {
      await timeline.page.setViewportSize({ width, height: 800 });
      for (const row of await rows.all()) {
        await row.hover();
        const time = row.locator('.moment-time');
        assert.ok(await time.isVisible());
        assert.match((await time.textContent())!, /^0:0\d$/);
        const [box, list] = [await time.boundingBox(), await row.boundingBox()];
        assert.ok(box!.x + box!.width <= list!.x + list!.width, `${width}: the time is cut`);
        assert.ok(await row.locator('.moment-actions').isVisible());
      }
    }
  });

  it('is found by the moments that it shows', async () => {
    const timeline = await open();
    const current = timeline.frame.locator('.moment[aria-current]');
    const isCurrent = async (id: string) => {
      await timeline.settled();
      await until(async () => (await current.getAttribute('data-id')) === id, id, 10_000);
    };
    await timeline.frame.locator('.moment.kind-tool').waitFor();
    // Search for a text of the message.
    await timeline.press('/');
    await timeline.page.keyboard.type('I run them');
    // There are two matches: the prompt's row also has the text, as the answer of the turn.
    await timeline.frame.locator('.search-result', { hasText: /^2$/ }).waitFor();
    await timeline.page.keyboard.press('Enter');
    await isCurrent('event-p');
    await timeline.page.keyboard.press('Enter');
    await isCurrent('event-c');
    await timeline.page.keyboard.press('Escape');
    // A position between the moments of the row, such as that of a link, a search result or a click
    // on the scrubber, leads to the row.
    for (const byteOffset of [10, 15]) {
      timeline.reveal({ byteOffset: 0 });
      await until(async () => (await timeline.byteOffset()) === 0, 'the start', 10_000);
      timeline.reveal({ byteOffset });
      await until(async () => (await timeline.byteOffset()) === byteOffset, 'it', 10_000);
      await isCurrent('event-c');
    }
  });

  it('is one step by moment, and its snapshot is one step by snapshot', async () => {
    const timeline = await open();
    await timeline.frame.locator('.moment.kind-tool').waitFor();
    const steps = async (keys: string) => {
      const bytes: number[] = [];
      for (const key of keys) {
        await timeline.press(key);
        await timeline.settled();
        bytes.push(await timeline.byteOffset());
      }
      return bytes;
    };
    await timeline.press('Home');
    assert.deepEqual(await steps(']]]]'), [5, 15, 25, 25], 'the prompt, the tool, the commit');
    assert.deepEqual(await steps('[['), [15, 5]);
    await timeline.press('Home');
    assert.deepEqual(await steps('}}}'), [15, 25, 25]);
    assert.deepEqual(await steps('{'), [15]);
    assert.equal(
      await timeline.frame.locator('.moment[aria-current]').getAttribute('data-id'),
      'event-c',
    );
    assert.deepEqual(await steps('['), [5], 'on from the row of the snapshot');
  });

  it('keeps the marks of its moments on the scrubber', async () => {
    const timeline = await open();
    await timeline.frame.locator('.moment.kind-tool').waitFor();
    const marks = timeline.frame.locator('.marker');
    await marks.first().waitFor();
    const cards: string[] = [];
    for (const mark of await marks.all()) {
      await mark.hover();
      cards.push((await timeline.frame.locator('.card').textContent()) ?? '');
    }
    const all = cards.join('\n');
    for (const text of ['I run them first.', 'Bash npm test', 'Commit 8999f3e'])
      assert.ok(all.includes(text), `${text} in ${all}`);
  });

  it('lists its moments by themselves where a filter leaves the tool call out', async () => {
    const timeline = await open();
    await timeline.frame.locator('.chip', { hasText: 'Snapshots' }).click();
    await timeline.frame.locator('.moment.kind-tool').waitFor({ state: 'detached' });
    assert.deepEqual(await rowsOf(timeline), ['snapshot-1-15', 'snapshot-2-25']);
    await timeline.frame.locator('.chip', { hasText: 'Prompts' }).click();
    await timeline.frame.locator('.moment.kind-message').waitFor();
    assert.deepEqual(await rowsOf(timeline), ['event-p', 'event-m']);
  });
});
