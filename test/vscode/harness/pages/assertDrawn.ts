import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import type { TerminalSize } from '../../../../src/base/terminalSize.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { Random } from '../../../support/random.ts';
import { expectedRows, joinedRuns } from './renderedRows.ts';
import type { TimelinePages } from './useTimelinePage.ts';

const CLICKS = 20;

/**
 * Asserts that the page draws what the model contains, at random positions, by keys and in
 * playback: characters, colors, attributes and the cursor.
 */
export async function assertDrawn(
  pages: TimelinePages,
  name: string,
  size: TerminalSize,
  records: readonly AhrRecord[],
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
  for (let click = 0; click < CLICKS; click++) {
    await timeline.click(0.03 + random.below(95) / 100);
    await compare();
  }
  for (const key of ['j', 'j', 'k', 'End']) {
    await timeline.press(key);
    await compare();
  }
  // By playback, not only by seeking.
  await timeline.press('Home');
  await timeline.setSpeed(32);
  await timeline.startPlaying();
  await timeline.paused();
  await compare();
  assert.ok(places.size >= CLICKS / 2, `${places.size} places`);
}

/** Applies the records up to a byte, then the resizes up to the shown size. */
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
