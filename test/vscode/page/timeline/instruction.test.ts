import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { deferred } from '../../../support/deferred.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const OUTPUT = recordsOf([60, 10], 'one\r\n', 'two\r\n').map((record, index) => ({
  ...record,
  tsNs: BigInt(index) * 1_000_000_000n,
}));
/** A session without snapshots has no branches. */
const START = { kind: 'snapshot', tsNs: 0n, snapshotId: 1n, anchorByte: 0, label: '' } as const;
const RECORDS = [...OUTPUT.slice(0, 1), START, ...OUTPUT.slice(1)];
const FILES = ['src/pool.ts', 'src/spool.ts', 'README.md'];

describe('the instruction of a branch', function () {
  this.timeout(60_000);
  const pages = useTimelinePage();
  const open = () => pages.open(RECORDS, { files: FILES });
  type Page = Awaited<ReturnType<typeof open>>;

  const area = ({ frame }: Page) => frame.locator('.instruction textarea');
  const options = ({ frame }: Page) => frame.locator('.suggestions:not([hidden]) [role=option]');

  /** Goes to the first output, and presses `i`. */
  async function begin(timeline: Page): Promise<void> {
    await timeline.press('g');
    await timeline.press('j');
    await timeline.settled();
    await timeline.press('i');
    await area(timeline).waitFor();
  }

  it('has several lines and names files of the moment, and Enter sends it', async () => {
    const timeline = await open();
    const { keyboard } = timeline.page;
    await begin(timeline);
    await keyboard.type('Fix the pool');
    await keyboard.press('Shift+Enter');
    await keyboard.type('in @poo');
    await options(timeline).first().waitFor();
    assert.deepEqual(await options(timeline).allTextContents(), ['src/pool.ts', 'src/spool.ts']);
    await keyboard.press('ArrowDown');
    assert.equal(await options(timeline).nth(1).getAttribute('aria-selected'), 'true');
    const active = await area(timeline).getAttribute('aria-activedescendant');
    assert.equal(active, await options(timeline).nth(1).getAttribute('id'));
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    assert.equal(await area(timeline).inputValue(), 'Fix the pool\nin @src/pool.ts ');
    assert.equal(timeline.actions.length, 0);
    await keyboard.type('and @READ');
    await options(timeline).filter({ hasText: 'README.md' }).click();
    assert.match(await area(timeline).inputValue(), / and @README\.md $/);
    await keyboard.press('Enter');
    await until(() => timeline.actions.length > 0, 'the branch');
    const [action] = timeline.actions;
    assert.equal(action?.action, 'branch');
    assert.equal(action.message, 'Fix the pool\nin @src/pool.ts and @README.md');
    assert.deepEqual(
      timeline.askedFiles.map(({ byteOffset }) => byteOffset),
      [action.byteOffset],
      'asked once, for the same moment',
    );
    await area(timeline).waitFor({ state: 'hidden' });
  });

  it('may be empty, and is kept when the user cancels it or the page reloads', async () => {
    const timeline = await open();
    const { keyboard } = timeline.page;
    await begin(timeline);
    await keyboard.press('Enter');
    await until(() => timeline.actions.length === 1, 'the branch');
    assert.equal(timeline.actions[0]?.message, '');
    // Typed letters are not the page's keys.
    await timeline.press('i');
    await keyboard.type('go @none');
    await keyboard.press('Escape');
    await area(timeline).waitFor({ state: 'hidden' });
    assert.equal(timeline.actions.length, 1);
    await timeline.reload();
    timeline.isDone = false;
    await timeline.press('i');
    assert.equal(await area(timeline).inputValue(), 'go @none');
    await timeline.frame.locator('.instruction .primary').click();
    await until(() => timeline.actions.length === 2, 'the plan that the user cancels');
    await timeline.press('i');
    assert.equal(await area(timeline).inputValue(), 'go @none');
    timeline.isDone = true;
    await keyboard.press('Enter');
    await until(() => timeline.actions.length === 3, 'the branch');
    await timeline.press('i');
    assert.equal(await area(timeline).inputValue(), '');
  });

  it('has the focus when the user chooses another row meanwhile', async () => {
    const timeline = await open();
    const { keyboard } = timeline.page;
    await begin(timeline);
    await keyboard.type('one');
    timeline.runMenu({ action: 'branch', momentId: null });
    // The test's first request ends before the page answers.
    await timeline.settled();
    await timeline.frame.locator('.instruction textarea:focus').waitFor();
    await keyboard.press('End');
    await keyboard.type(' two');
    assert.equal(await area(timeline).inputValue(), 'one two');
    await keyboard.press('Enter');
    await until(() => timeline.actions.length === 1, 'one branch');
    assert.equal(timeline.actions[0]?.message, 'one two');
  });

  it('is cleared once sent, unless the user has typed another one meanwhile', async () => {
    const timeline = await open();
    const { keyboard } = timeline.page;
    const hasSaved = (text: string) =>
      until(async () => (await timeline.savedState())['instruction'] === text, 'the saved text');
    await begin(timeline);
    await keyboard.type('first');
    await hasSaved('first');
    await keyboard.press('Enter');
    await until(() => timeline.actions.length === 1, 'the first branch');
    await hasSaved('');

    const made = deferred();
    timeline.isDone = made.promise.then(() => true);
    await timeline.press('i');
    await keyboard.type('second');
    await keyboard.press('Enter');
    await until(() => timeline.actions.length === 2, 'the second branch');
    await timeline.press('i');
    await keyboard.type('third');
    made.resolve();
    timeline.isDone = false;
    await keyboard.press('Enter');
    await until(() => timeline.actions.length === 3, 'the third plan');
    assert.equal(timeline.actions[2]?.message, 'third');
    await hasSaved('third');
  });

  it('is carried over from the page that this one replaces', async () => {
    const timeline = await pages.open(RECORDS, { instruction: 'go on' });
    await timeline.press('i');
    assert.equal(await area(timeline).inputValue(), 'go on');
    // What the user types while the extension does not answer is carried over as well.
    await timeline.page.keyboard.type('go back');
    timeline.isSilent = true;
    const link = timeline.frame.locator('.lost a');
    await link.waitFor({ timeout: 40_000 });
    await timeline.page.keyboard.type(' further');
    await link.dispatchEvent('pointerdown');
    const href = decodeURIComponent((await link.getAttribute('href')) ?? '');
    assert.ok(href.includes('"instruction":"go back further"'), href);
  });
});
