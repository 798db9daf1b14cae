import { recordsOf } from '../../../support/recording/recordList.ts';
import { TERMINAL_FEATURES } from '../../../support/terminal/terminalFeatures.ts';
import { assertDrawn } from '../../harness/pages/assertDrawn.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

describe('the timeline’s terminal, cell for cell, with every terminal feature', function () {
  this.timeout(300_000);
  const pages = useTimelinePage();

  for (const [name, text] of Object.entries(TERMINAL_FEATURES)) {
    it(`draws ${name}`, async () => {
      const size = { cols: 40, rows: 12 };
      const texts = Array.from({ length: 60 }, (_, turn) => text(turn));
      const steps = recordsOf([size.cols, size.rows], ...texts);
      // Fifty milliseconds apart, so that positions on the scrubber differ.
      const records = steps.map((record) => ({ ...record, tsNs: record.tsNs * 50n }));
      await assertDrawn(pages, name, size, records);
    });
  }
});
