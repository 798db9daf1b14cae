import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../../src/recording/format/records.ts';
import {
  START,
  type Place,
  type PlaybackSource,
} from '../../../../../src/timeline/common/playback/playback.ts';
import { playRecord } from '../../../../../src/terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../../../../src/terminal/screen/terminalModel.ts';
import type { TerminalSize } from '../../../../../src/base/terminalSize.ts';
import { framesOf, ModelScreen } from '../../../../support/terminal/modelScreen.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../../support/random.ts';
import { recordsOf } from '../../../../support/recording/recordList.ts';
import { terminalNoise } from '../../../../support/terminal/terminalNoise.ts';
import { assertSameScreen, lossesOf } from '../../../../support/terminal/terminalState.ts';

const SEEKS = 40;
/** Each resize is a seek of its own. */
const SEEKS_WITH_RESIZES = 10;

/** Plays everything after a position, as a player does. */
async function playOn(screen: ModelScreen, source: PlaybackSource, from: Place): Promise<void> {
  let place = from;
  for (;;) {
    const { items, isEnd } = await source.range(place);
    for (const item of items) {
      if (item.kind === 'output') await screen.write(item.bytes);
      else await screen.reset(item);
      place = item.place;
    }
    if (isEnd) return;
    assert.ok(items.length > 0, 'a part that is not the last has something in it');
  }
}

function played(records: readonly AhrRecord[], size: TerminalSize): TerminalModel {
  const model = new TerminalModel({ size, historyLines: 0 });
  for (const record of records) playRecord(model, record);
  return model;
}

/** A real agent, with many resizes. */
function withResizes(records: readonly AhrRecord[], size: TerminalSize): AhrRecord[] {
  const random = new Random(3);
  return records.flatMap((record, index): AhrRecord[] => {
    if (index % 9 !== 5) return [record];
    const cols = size.cols - random.below(30);
    const rows = size.rows - random.below(10);
    return [record, { kind: 'resize', tsNs: record.tsNs, cols, rows }];
  });
}

describe('TimelineFrames', () => {
  for (const name of PTY_FIXTURES) {
    const { size, records } = readPtyFixture(name);
    for (const [what, list, seeks] of [
      [name, records, SEEKS],
      [`${name}, resized on the way`, withResizes(records, size), SEEKS_WITH_RESIZES],
    ] as const) {
      it(`seeks to random places of ${what} and plays on to the same end`, async function () {
        this.timeout(60_000);
        const { frames, index } = await framesOf(list, size);
        const end = played(list, size);
        const random = new Random(1);
        for (let seek = 0; seek < seeks; seek++) {
          const byteOffset = random.below(index.totalBytes + 1);
          const shown = await frames.frame({ byteOffset });
          assert.equal(shown.place.byteOffset, byteOffset);
          const screen = new ModelScreen();
          await screen.reset(shown);
          await playOn(screen, frames, shown.place);
          if (lossesOf(end).size === 0) assertSameScreen(screen.model, end, `from ${byteOffset}`);
          screen.model.dispose();
        }
        end.dispose();
      });
    }
  }

  it('shows the same at a record as playing up to it', async () => {
    const { size, records } = readPtyFixture('gemini');
    const list = withResizes(records, size);
    const { frames, index } = await framesOf(list, size);
    const screen = new ModelScreen(size);
    const model = new TerminalModel({ size, historyLines: 0 });
    for (const [at, record] of list.entries()) {
      playRecord(model, record);
      if (at % 7 !== 0 || index.timeOf(at) === index.timeOf(at + 1)) continue;
      const shown = await frames.frame({ timeMs: index.timeOf(at) });
      assert.equal(shown.place.recordIndex, at);
      await screen.reset(shown);
      if (lossesOf(model).size === 0) assertSameScreen(screen.model, model, `record ${at}`);
    }
  });

  it('plays to the same end from anywhere, in output of edge cases', async () => {
    let compared = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const size = { cols: 24, rows: 8 };
      const random = new Random(seed);
      const records = terminalNoise(random, { size, records: 120, resizes: 5 });
      const { frames, index } = await framesOf(records, size);
      const end = played(records, size);
      for (let seek = 0; seek < 8; seek++) {
        const record = random.below(records.length);
        const shown = await frames.frame({ byteOffset: index.byteAfter(record) });
        const before = played(records.slice(0, shown.place.recordIndex + 1), size);
        const hasLosses = lossesOf(before).size > 0 || lossesOf(end).size > 0;
        before.dispose();
        const screen = new ModelScreen();
        await screen.reset(shown);
        await playOn(screen, frames, shown.place);
        if (!hasLosses) {
          assertSameScreen(screen.model, end, `seed ${seed}, from ${shown.place.byteOffset}`);
          compared++;
        }
        screen.model.dispose();
      }
      end.dispose();
    }
    assert.ok(compared > 20, `${compared} compared`);
  });

  it('plays from the start', async () => {
    const list = recordsOf([20, 3], 'one', [30, 4], ' two');
    const { frames } = await framesOf(list, { cols: 20, rows: 3 });
    const screen = new ModelScreen();
    await playOn(screen, frames, START);
    assert.equal(screen.text, 'one two');
    assert.deepEqual(screen.model.size, { cols: 30, rows: 4 });
  });

  it('shows a text that was on the screen only within a record', async () => {
    const lines = Array.from({ length: 3000 }, (_, line) => `line ${line}.\r\n`).join('');
    const { frames } = await framesOf(recordsOf('before\r\n', lines), { cols: 20, rows: 4 });
    const shown = await frames.frame({ recordIndex: 1, text: 'line 1234.' });
    const screen = new ModelScreen();
    await screen.reset(shown);
    assert.match(screen.text, /line 1234\./);
    await playOn(screen, frames, shown.place);
    assert.match(screen.text, /line 2999\.$/);
  });
});
