import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { assertDrawn } from '../../harness/pages/assertDrawn.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

describe('the timeline’s terminal, cell for cell, with real agents', function () {
  this.timeout(300_000);
  const pages = useTimelinePage();

  for (const name of PTY_FIXTURES) {
    it(`draws ${name}`, async () => {
      const { size, records } = readPtyFixture(name);
      await assertDrawn(pages, name, size, [{ kind: 'resize', tsNs: 0n, ...size }, ...records]);
    });
  }

  it('draws a real agent with many resizes', async () => {
    const { size, records } = readPtyFixture('gemini');
    const random = new Random(3);
    const resized = records.flatMap((record, index): AhrRecord[] => {
      if (index % 40 !== 20) return [record];
      const tsNs = record.tsNs + 1n;
      const cols = size.cols - random.below(30);
      return [record, { kind: 'resize', tsNs, cols, rows: size.rows - random.below(10) }];
    });
    await assertDrawn(pages, 'resized', size, [{ kind: 'resize', tsNs: 0n, ...size }, ...resized]);
  });
});
