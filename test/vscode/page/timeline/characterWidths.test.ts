import assert from 'node:assert/strict';
import path from 'node:path';
import { goldenWidths, labelled } from '../../../support/terminal/goldenWidths.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { writeWidthSession } from '../../../support/terminal/widthSession.ts';
import { widthSequences } from '../../../support/terminal/widthSequences.ts';
import { useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

describe('the width of characters in the timeline’s terminal', function () {
  this.timeout(300_000);
  const pages = useTimelinePage();

  for (const version of ['6', '11'] as const) {
    it(`is that of VS Code’s terminal with the setting ${version}`, async () => {
      const sequences = widthSequences();
      // Each row blanks its characters up to the cursor and then prints a mark: the number of
      // blanks is their width.
      const rows = sequences.map((sequence) => `${sequence}\x1b[1K|`);
      const size = [60, sequences.length] as const;
      // The page plays this output in its own terminal, whose widths the test reads.
      const records = recordsOf(size, '\x1b[H', rows.join('\r\n'));
      await writeWidthSession(path.dirname(pages.file), pages.file, version);
      const timeline = await pages.open(records);
      await timeline.press('Home');
      await timeline.startPlaying();
      await timeline.paused();
      const drawn = (await timeline.renderedRows()).map((row) =>
        row.map(([, text]) => text).join(''),
      );
      const widths = drawn.map((row) => row.indexOf('|'));
      const expected = labelled(sequences, goldenWidths()[version]);
      assert.deepEqual(labelled(sequences, widths), expected);
    });
  }
});
