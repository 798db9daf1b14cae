import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../../src/recording/format/records.ts';
import type { ScreenState } from '../../../../../src/timeline/common/playback/playback.ts';
import { TerminalModel } from '../../../../../src/terminal/screen/terminalModel.ts';
import { playRecord } from '../../../../../src/terminal/keyframes/playRecord.ts';
import type { TerminalSize } from '../../../../../src/base/terminalSize.ts';
import { framesOf, ModelScreen } from '../../../../support/terminal/modelScreen.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../../support/random.ts';
import { recordsOf } from '../../../../support/recording/recordList.ts';
import { terminalNoise } from '../../../../support/terminal/terminalNoise.ts';
import { assertSameScreen, lossesOf } from '../../../../support/terminal/terminalState.ts';
import { TERMINAL_FEATURES } from '../../../../support/terminal/terminalFeatures.ts';
import { isSoak } from '../../../../support/soak.ts';

const SEEKS = isSoak ? 1000 : 25;

/** Compares seeks to random bytes with playing once. @returns the number of comparisons */
async function assertSeeksLikePlaying(
  records: readonly AhrRecord[],
  size: TerminalSize,
  seed: number,
): Promise<number> {
  const { frames, index } = await framesOf(records, size);
  const random = new Random(seed);
  const sought: { byteOffset: number; shown: ScreenState }[] = [];
  for (let seek = 0; seek < SEEKS; seek++) {
    const byteOffset = random.below(index.totalBytes + 1);
    const shown = await frames.frame({ byteOffset });
    assert.equal(shown.place.byteOffset, byteOffset);
    sought.push({ byteOffset, shown });
  }
  sought.sort((a, b) => a.byteOffset - b.byteOffset);
  const model = new TerminalModel({ size, historyLines: 0 });
  let compared = 0;
  let next = 0;
  const compare = async ({ byteOffset, shown }: (typeof sought)[number]): Promise<void> => {
    // Skip a state that output can't restore completely; the missing part is not visible.
    if (lossesOf(model).size > 0) return;
    const screen = new ModelScreen();
    await screen.reset(shown);
    assertSameScreen(screen.model, model, `at byte ${byteOffset}`);
    screen.model.dispose();
    compared++;
  };
  for (const record of records) {
    if (record.kind !== 'data') {
      // A position between two outputs precedes records after the first output.
      while (next < sought.length && sought[next]!.byteOffset < model.byteOffset) {
        await compare(sought[next++]!);
      }
      playRecord(model, record);
      continue;
    }
    const end = record.startByteOffset + record.bytes.length;
    let at = record.startByteOffset;
    while (next < sought.length && sought[next]!.byteOffset < end) {
      const { byteOffset } = sought[next]!;
      if (byteOffset > at) {
        model.write(
          record.bytes.subarray(at - record.startByteOffset, byteOffset - record.startByteOffset),
          byteOffset,
        );
        at = byteOffset;
      }
      await compare(sought[next++]!);
    }
    model.write(record.bytes.subarray(at - record.startByteOffset), end);
  }
  while (next < sought.length) await compare(sought[next++]!);
  model.dispose();
  return compared;
}

/** Inserts resizes between the records. */
function withResizes(records: readonly AhrRecord[], size: TerminalSize): AhrRecord[] {
  const random = new Random(3);
  return records.flatMap((record, index): AhrRecord[] => {
    if (index % 9 !== 5) return [record];
    const cols = size.cols - random.below(30);
    const rows = size.rows - random.below(10);
    return [record, { kind: 'resize', tsNs: record.tsNs, cols, rows }];
  });
}

describe(`${SEEKS} random seeks show what playing shows, cell for cell`, function () {
  this.timeout(600_000);

  for (const name of PTY_FIXTURES) {
    const { size, records } = readPtyFixture(name);
    it(`in ${name}`, async () => {
      const compared = await assertSeeksLikePlaying(records, size, 1);
      assert.ok(compared >= SEEKS * 0.95, `${compared} of ${SEEKS} could be compared`);
    });

    it(`in ${name}, resized on the way`, async () => {
      const compared = await assertSeeksLikePlaying(withResizes(records, size), size, 2);
      assert.ok(compared >= SEEKS * 0.95, `${compared} of ${SEEKS} could be compared`);
    });
  }

  for (const [name, text] of Object.entries(TERMINAL_FEATURES)) {
    it(`in ${name}`, async () => {
      const size = { cols: 40, rows: 12 };
      const records = recordsOf(...Array.from({ length: 60 }, (_, turn) => text(turn)));
      const compared = await assertSeeksLikePlaying(records, size, 4);
      assert.ok(compared >= SEEKS * 0.6, `${compared} of ${SEEKS} could be compared`);
    });
  }

  it('in output of edge cases', async () => {
    const size = { cols: 24, rows: 8 };
    let compared = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const records = terminalNoise(new Random(seed), { size, records: 400, resizes: 5 });
      compared += await assertSeeksLikePlaying(records, size, seed);
    }
    assert.ok(compared >= SEEKS, `${compared} could be compared`);
  });
});
