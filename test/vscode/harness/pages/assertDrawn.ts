import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import type { TerminalSize } from '../../../../src/base/terminalSize.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { Random } from '../../../support/random.ts';
import { expectedRows, joinedRuns } from './renderedRows.ts';
import type { ShownScreen } from './timelineView.ts';
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
  const { mouse, keyboard } = timeline.page;
  const shown: ShownScreen[] = [];
  const read = async () => shown.push(await timeline.shownScreen());
  const random = new Random(7);
  const track = (await timeline.track.boundingBox())!;
  for (let click = 0; click < CLICKS; click++) {
    const share = 0.03 + random.below(95) / 100;
    await mouse.click(track.x + track.width * share, track.y + track.height / 2);
    await read();
  }
  await timeline.frame.locator('.player').focus();
  for (const key of ['j', 'j', 'k', 'End']) {
    await keyboard.press(key);
    await read();
  }
  // Reach the end by playing, not by seeking.
  await timeline.press('Home');
  await timeline.setSpeed(32);
  await timeline.startPlaying();
  await timeline.paused();
  await read();
  const places = new Set(shown.map(({ byteOffset }) => byteOffset));
  assert.ok(places.size >= CLICKS / 2, `${places.size} places`);
  const model = new ModelAlong(records, size);
  // In the order of the recording, so that the model parses it only once.
  for (const each of shown.toSorted((a, b) => a.byteOffset - b.byteOffset)) {
    model.goTo(each);
    const expected = expectedRows(model.terminal).map(joinedRuns);
    assert.deepEqual(each.rows.map(joinedRuns), expected, `${name} @${each.byteOffset}`);
  }
  model.terminal.dispose();
}

/** A terminal model that moves along a recording. */
class ModelAlong {
  readonly #records: readonly AhrRecord[];
  readonly #size: TerminalSize;
  terminal: TerminalModel;
  #next = 0;

  constructor(records: readonly AhrRecord[], size: TerminalSize) {
    this.#records = records;
    this.#size = size;
    this.terminal = new TerminalModel({ size, historyLines: 0 });
  }

  /** Goes to a place that is not before the last one, or is at the same byte. */
  goTo(shown: ShownScreen): void {
    this.#play(shown);
    // The place is before a resize at this byte that was already applied: start again.
    if (!isSame(this.terminal.size, shown.size)) {
      this.terminal.dispose();
      this.terminal = new TerminalModel({ size: this.#size, historyLines: 0 });
      this.#next = 0;
      this.#play(shown);
    }
    assert.deepEqual(this.terminal.size, shown.size);
  }

  /** Applies the records up to the byte, then the resizes up to the shown size. */
  #play({ byteOffset, size }: ShownScreen): void {
    for (; this.#next < this.#records.length; this.#next++) {
      const record = this.#records[this.#next]!;
      if (record.kind === 'data') {
        if (record.startByteOffset + record.bytes.length > byteOffset) return;
      } else if (record.kind === 'resize') {
        const { terminal } = this;
        if (terminal.byteOffset === byteOffset && isSame(terminal.size, size)) return;
      } else continue;
      playRecord(this.terminal, record);
    }
  }
}

function isSame(a: TerminalSize, b: TerminalSize): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}
