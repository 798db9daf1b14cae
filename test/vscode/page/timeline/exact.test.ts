import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/records.ts';
import { playRecord } from '../../../../src/terminal/playRecord.ts';
import type { TerminalSize } from '../../../../src/terminal/screenTypes.ts';
import { TerminalModel } from '../../../../src/terminal/terminalModel.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { recordsOf } from '../../../support/recordList.ts';
import { TERMINAL_FEATURES } from '../../../support/terminalFeatures.ts';
import { expectedRows, joinedRuns } from '../../harness/renderedRows.ts';
import { useTimelinePage } from '../../harness/useTimelinePage.ts';

/** What the terminal of the page draws is what the model holds: every character, colour, attribute and the cursor. */
describe('the timeline’s terminal, cell for cell', function () {
  this.timeout(300_000);
  const pages = useTimelinePage();

  async function assertDrawn(
    name: string,
    size: TerminalSize,
    records: readonly AhrRecord[],
    clicks: number,
  ): Promise<void> {
    const timeline = await pages.open(records);
    const places = new Set<number>();
    const compare = async () => {
      const byteOffset = await timeline.byteOffset();
      const shown = await timeline.terminalSize();
      const model = modelAt(records, size, byteOffset, shown);
      const drawn = (await timeline.renderedRows()).map(joinedRuns);
      assert.deepEqual(drawn, expectedRows(model).map(joinedRuns), `${name} @${byteOffset}`);
      model.dispose();
      places.add(byteOffset);
    };
    const random = new Random(7);
    for (let click = 0; click < clicks; click++) {
      await timeline.click(0.03 + random.below(95) / 100);
      await compare();
    }
    for (const key of ['j', 'j', 'k', 'End']) {
      await timeline.press(key);
      await compare();
    }
    // Played, and not only put there.
    await timeline.press('Home');
    await timeline.setSpeed(32);
    await timeline.startPlaying();
    await timeline.paused();
    await compare();
    assert.ok(places.size >= clicks / 2, `${places.size} places`);
  }

  for (const name of PTY_FIXTURES) {
    it(`draws ${name}`, async () => {
      const { size, records } = readPtyFixture(name);
      await assertDrawn(name, size, [{ kind: 'resize', tsNs: 0n, ...size }, ...records], 20);
    });
  }

  it('draws a real agent whose terminal is resized again and again', async () => {
    const { size, records } = readPtyFixture('gemini');
    const random = new Random(3);
    const resized = records.flatMap((record, index): AhrRecord[] => {
      if (index % 40 !== 20) return [record];
      const tsNs = record.tsNs + 1n;
      const cols = size.cols - random.below(30);
      return [record, { kind: 'resize', tsNs, cols, rows: size.rows - random.below(10) }];
    });
    await assertDrawn('resized', size, [{ kind: 'resize', tsNs: 0n, ...size }, ...resized], 20);
  });

  for (const [name, text] of Object.entries(TERMINAL_FEATURES)) {
    it(`draws ${name}`, async () => {
      const size = { cols: 40, rows: 12 };
      const texts = Array.from({ length: 60 }, (_, turn) => text(turn));
      const steps = recordsOf([size.cols, size.rows], ...texts);
      // Fifty milliseconds apart: a place on the line is then one of them.
      const records = steps.map((record) => ({ ...record, tsNs: record.tsNs * 50n }));
      await assertDrawn(name, size, records, 20);
    });
  }
});

/** Everything up to a byte, and then the sizes that the terminal was given until it had the one that is shown. */
function modelAt(
  records: readonly AhrRecord[],
  size: TerminalSize,
  byteOffset: number,
  shown: TerminalSize,
): TerminalModel {
  const model = new TerminalModel({ size, historyLines: 0 });
  for (const record of records) {
    if (record.kind === 'data') {
      if (record.startByteOffset + record.bytes.length > byteOffset) break;
      playRecord(model, record);
    } else if (record.kind === 'resize') {
      const isThere = model.byteOffset === byteOffset && isSame(model.size, shown);
      if (!isThere) playRecord(model, record);
    }
  }
  assert.deepEqual(model.size, shown);
  return model;
}

function isSame(a: TerminalSize, b: TerminalSize): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}
