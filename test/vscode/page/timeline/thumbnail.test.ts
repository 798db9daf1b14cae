import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { deferred } from '../../../support/deferred.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const SECOND_NS = 1_000_000_000n;
const RGB = [10, 20, 200];
/** An empty screen, from the middle on a coloured one, then an empty one; a second apart. */
const STEPS = ['\x1b[H', `\x1b[48;2;${RGB.join(';')}m\x1b[2J`, '\x1b[m\x1b[2J', 'end'];
const RECORDS = recordsOf([60, 10], ...STEPS).map((record, index) => ({
  ...record,
  tsNs: BigInt(index) * SECOND_NS,
}));

/** Runs in the page: the share of a thumbnail's pixels that have the colour; undefined without one. */
const SHARE = `(() => {
  const canvas = document.querySelector('.card:not([hidden]) .thumbnail:not([hidden])');
  if (!canvas) return undefined;
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === ${RGB[0]} && data[at + 1] === ${RGB[1]} && data[at + 2] === ${RGB[2]}) count++;
  return count / (width * height);
})()`;

describe('the thumbnail of the scrubber', function () {
  this.timeout(60_000);
  const pages = useTimelinePage();

  it('shows the screen at the time under the pointer, and leaves the player where it is', async () => {
    const timeline = await pages.open(RECORDS);
    const before = await timeline.byteOffset();
    const box = (await timeline.track.boundingBox())!;
    const share = (): Promise<number | undefined> => timeline.page.evaluate(SHARE);
    const hover = (at: number) => timeline.page.mouse.move(box.x + box.width * at, box.y + 10);
    const isShown = (wanted: (share: number) => boolean) =>
      until(async () => {
        const now = await share();
        return now !== undefined && wanted(now);
      }, 'the screen at that time');
    await hover(0.6);
    await isShown((now) => now > 0.95);
    await hover(0.9);
    await isShown((now) => now === 0);
    await hover(0.6);
    await isShown((now) => now > 0.95);
    await hover(0.1);
    await isShown((now) => now === 0);
    assert.equal(await timeline.byteOffset(), before);
    await timeline.page.mouse.down();
    await hover(0.6);
    await until(async () => (await share()) === undefined, 'the player itself to show the screen');
    await timeline.page.mouse.up();
    await timeline.page.mouse.move(300, 100);
    await timeline.frame.locator('.card').waitFor({ state: 'hidden' });
  });

  it('stays hidden during a drag, also when its screen comes late', async () => {
    const timeline = await pages.open(RECORDS);
    const { mouse } = timeline.page;
    const box = (await timeline.track.boundingBox())!;
    const move = (at: number) => mouse.move(box.x + box.width * at, box.y + 10);
    const gate = deferred();
    timeline.frameGate = gate.promise;
    await move(0.5);
    await mouse.down();
    await move(0.6);
    gate.resolve();
    timeline.frameGate = undefined;
    await timeline.settled();
    // By now, the page has drawn everything that it requested before the drag.
    assert.equal(await timeline.page.evaluate(SHARE), undefined);
    await mouse.up();
  });
});
