import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { frameText, takeFrame } from '../../../../src/terminal/keyframes/frame.ts';
import { frameAt, type FrameTarget } from '../../../../src/terminal/keyframes/frames.ts';
import { makeKeyframes } from '../../../support/terminal/makeKeyframes.ts';
import { MemoryKeyframes } from '../../../../src/terminal/keyframes/keyframeStore.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import type { TerminalSize } from '../../../../src/base/terminalSize.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { RecordList, recordsOf } from '../../../support/recording/recordList.ts';
import { terminalNoise } from '../../../support/terminal/terminalNoise.ts';
import { assertSameState } from '../../../support/terminal/terminalState.ts';
import { isSoak } from '../../../support/soak.ts';

const SIZE = { cols: 10, rows: 3 };

/** Plays from the start without keyframes: defines what a target means. */
function playTo(
  records: readonly AhrRecord[],
  size: TerminalSize,
  target: FrameTarget,
): TerminalModel {
  const model = new TerminalModel({ size, historyLines: 0 });
  for (const [index, record] of records.entries()) {
    if ('recordIndex' in target && index > target.recordIndex) break;
    if ('tsNs' in target && record.tsNs > target.tsNs) break;
    if ('byteOffset' in target && record.kind === 'data') {
      const wanted = target.byteOffset - record.startByteOffset;
      if (wanted < record.bytes.length) {
        if (wanted > 0) model.write(record.bytes.subarray(0, wanted), target.byteOffset);
        break;
      }
    }
    playRecord(model, record);
  }
  return model;
}

async function keyframesOf(source: RecordList, size: TerminalSize): Promise<MemoryKeyframes> {
  const keyframes = new MemoryKeyframes();
  for await (const keyframe of makeKeyframes(source, size)) keyframes.append(keyframe);
  return keyframes;
}

/** Repeats records until the recording is long enough to have keyframes. */
function repeated(records: readonly AhrRecord[], minBytes: number): AhrRecord[] {
  const result: AhrRecord[] = [];
  let offset = 0;
  while (offset < minBytes) {
    for (const record of records) {
      const tsNs = BigInt(result.length) * 1_000_000n;
      if (record.kind !== 'data') {
        result.push({ ...record, tsNs });
        continue;
      }
      result.push({ ...record, tsNs, startByteOffset: offset });
      offset += record.bytes.length;
    }
  }
  return result;
}

async function checkTargets(
  records: readonly AhrRecord[],
  size: TerminalSize,
  count: number,
): Promise<void> {
  const source = new RecordList(records);
  const keyframes = await keyframesOf(source, size);
  assert.ok(keyframes.length >= 3, `${keyframes.length} keyframes`);
  const last = records.findLast((record) => record.kind === 'data')!;
  const total = last.startByteOffset + last.bytes.length;
  const random = new Random(5);
  for (let index = 0; index < count; index++) {
    const targets: FrameTarget[] = [
      { byteOffset: random.below(total + 1) },
      { tsNs: records[random.below(records.length)]!.tsNs + BigInt(random.below(2)) },
      { recordIndex: random.below(records.length) },
    ];
    const target = targets[index % 3]!;
    source.readCount = 0;
    const sought = await frameAt({ source, size, keyframes, target });
    const where = JSON.stringify(target, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assertSameState(sought, playTo(records, size, target), where);
    assert.ok(source.readCount <= 3000, `${where}: ${source.readCount} records read`);
  }
}

describe('seeking', () => {
  for (const name of PTY_FIXTURES) {
    it(`shows what playing shows: ${name}`, async function () {
      this.timeout(600_000);
      const { size, records } = readPtyFixture(name);
      await checkTargets(repeated(records, 1_200_000), size, isSoak ? 600 : 24);
    });
  }

  it('shows what playing shows: noise with resizes', async function () {
    this.timeout(600_000);
    const records = terminalNoise(new Random(11), {
      size: { cols: 20, rows: 8 },
      records: 9000,
      resizes: 3,
    });
    await checkTargets(records, { cols: 20, rows: 8 }, isSoak ? 300 : 30);
  });

  it('stops within a record, and includes events before the next byte', async () => {
    const records = recordsOf('abc', [12, 3], 'def', [14, 3]);
    const source = new RecordList(records);
    const at = async (target: FrameTarget) =>
      takeFrame(await frameAt({ source, size: SIZE, target }));
    const summary = async (target: FrameTarget) => {
      const { lines, cols } = await at(target);
      return [lines[0]!.text, cols, lines[0]!.lastWriteByte];
    };
    assert.deepEqual(await summary({ byteOffset: 0 }), ['', 10, 0]);
    assert.deepEqual(await summary({ byteOffset: 2 }), ['ab', 10, 2]);
    assert.deepEqual(await summary({ byteOffset: 3 }), ['abc', 12, 3]);
    assert.deepEqual(await summary({ byteOffset: 99 }), ['abcdef', 14, 6]);
    assert.deepEqual(await summary({ recordIndex: -1 }), ['', 10, 0]);
    assert.deepEqual(await summary({ recordIndex: 0 }), ['abc', 10, 3]);
    assert.deepEqual(await summary({ recordIndex: 1 }), ['abc', 12, 3]);
    assert.deepEqual(await summary({ tsNs: 0n }), ['', 10, 0]);
    assert.deepEqual(await summary({ tsNs: 1_999_999n }), ['abc', 10, 3]);
    assert.deepEqual(await summary({ tsNs: 3_000_000n }), ['abcdef', 12, 6]);
  });

  it('does not trust a keyframe of a recording that has changed', async () => {
    const size = SIZE;
    const text = (word: string) =>
      recordsOf(...Array.from({ length: 3 }, () => word.repeat(100_000)));
    const old = text('old ');
    const keyframes = await keyframesOf(new RecordList(old), size);
    assert.ok(keyframes.length > 0);
    const target = { recordIndex: 2 };
    for (const records of [
      old.map((record) => ({ ...record, tsNs: record.tsNs + 1n })),
      text('newer '),
      old.slice(0, 1),
    ]) {
      const source = new RecordList(records);
      const sought = await frameAt({ source, size, keyframes, target });
      assertSameState(sought, playTo(records, size, target), 'changed');
    }
  });

  it('can be stopped', async () => {
    const source = new RecordList(recordsOf('a', 'b'));
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(
      frameAt({ source, size: SIZE, target: { tsNs: 9n ** 9n }, signal }),
      /enough/,
    );
  });

  it('returns a frame for printing, with or without colors', async () => {
    const source = new RecordList(
      recordsOf(
        '\x1b]2;title\x07\x1b[31mred\x1b[m \x1b]8;;http://x\x07link\x1b]8;;\x07\r\n\r\n  x',
      ),
    );
    const frame = takeFrame(await frameAt({ source, size: SIZE, target: { recordIndex: 0 } }));
    assert.deepEqual(frameText(frame, { isColored: false }), ['red link', '', '  x']);
    assert.deepEqual(frameText(frame, { isColored: true }), [
      '\x1b[0;31mred\x1b[m \x1b[m\x1b]8;;http://x\x1b\\link\x1b[m\x1b]8;;\x1b\\',
      '',
      '  x',
    ]);
    assert.deepEqual(frame.cursor, { row: 2, column: 3, isVisible: true });
    assert.deepEqual(
      [frame.title, frame.cols, frame.rows, frame.isAlternateScreen],
      ['title', 10, 3, false],
    );
  });
});
