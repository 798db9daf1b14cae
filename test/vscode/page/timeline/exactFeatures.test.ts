import { recordsOf } from '../../../support/recordList.ts';
import { TERMINAL_FEATURES } from '../../../support/terminalFeatures.ts';
import { assertDrawn } from '../../harness/assertDrawn.ts';
import { useTimelinePage } from '../../harness/useTimelinePage.ts';

describe('the timeline’s terminal, cell for cell, with all that terminals can do', function () {
  this.timeout(300_000);
  const pages = useTimelinePage();

  for (const [name, text] of Object.entries(TERMINAL_FEATURES)) {
    it(`draws ${name}`, async () => {
      const size = { cols: 40, rows: 12 };
      const texts = Array.from({ length: 60 }, (_, turn) => text(turn));
      const steps = recordsOf([size.cols, size.rows], ...texts);
      // Fifty milliseconds apart: a place on the line is then one of them.
      const records = steps.map((record) => ({ ...record, tsNs: record.tsNs * 50n }));
      await assertDrawn(pages, name, size, records);
    });
  }
});
