import assert from 'node:assert/strict';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const HALF_HOUR_NS = 1_800_000_000_000n;
/** Two and a half hours. */
const RECORDS = recordsOf([60, 10], ...Array.from({ length: 5 }, () => 'x'.repeat(60_000))).map(
  (record, index) => ({ ...record, tsNs: BigInt(index) * HALF_HOUR_NS }),
);

describe('the timeline in a narrow editor', function () {
  this.timeout(60_000);
  const pages = useTimelinePage();

  it('shows the position and most of the name in a narrow editor', async () => {
    const origin = { sessionId: 'o', name: 'the original session', clock: '14:32', byteOffset: 1 };
    const session = {
      name: 'Claude Code in a branch',
      isRunning: true,
      stateText: 'needs approval',
      origin,
    };
    for (const width of [700, 800]) {
      const { frame } = await pages.open(RECORDS, { session, viewport: { width, height: 700 } });
      await frame.locator('.bar h1', { hasText: session.name }).waitFor();
      await frame.locator('.time', { hasText: '2:30:00' }).waitFor();
      const cut = (part: string) =>
        frame.locator(part).evaluate((each) => each.scrollWidth - each.clientWidth);
      assert.ok((await cut('.time')) <= 0, `the position is cut at ${width}`);
      const name = (await frame.locator('.bar h1').boundingBox())!;
      assert.ok(name.width >= 110, `${width}: the name has ${name.width} px`);
    }
  });
});
