import assert from 'node:assert/strict';
import type { Keyframe } from '../../../../src/terminal/keyframes/keyframe.ts';
import {
  decodeEntryBody,
  decodeEntryHeader,
  encodeEntry,
  ENTRY_HEADER_LENGTH,
} from '../../../../src/terminal/keyframes/keyframeFile.ts';
import { KeyframeSchedule } from '../../../../src/terminal/keyframes/keyframeSchedule.ts';
import {
  KeyframeIndex,
  KeyframeWriter,
  recordingFingerprint,
} from '../../../../src/terminal/keyframes/keyframeStore.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';

const SIZE = { cols: 12, rows: 3 };
const FINGERPRINT = 0x1234_5678_9abc_def0n;

function keyframeAfter(text: string, recordIndex: number): Keyframe {
  const model = new TerminalModel({ size: SIZE });
  model.write(new TextEncoder().encode(text), 2 ** 40 + recordIndex);
  return {
    ...model.captureState()!,
    recordIndex,
    tsNs: 1_710_000_000_000_000_001n + BigInt(recordIndex),
  };
}

function decode(bytes: Uint8Array): Keyframe | undefined {
  const entry = decodeEntryHeader(bytes, 0);
  return entry && decodeEntryBody(entry, bytes.subarray(ENTRY_HEADER_LENGTH));
}

async function fileWith(keyframes: readonly Keyframe[]): Promise<MemoryFile> {
  const file = new MemoryFile();
  const writer = await KeyframeWriter.create(file, FINGERPRINT);
  for (const keyframe of keyframes) await writer.append(keyframe);
  return file;
}

/** Converts to a plain `Uint8Array`, for comparisons. */
function plain(keyframe: Keyframe | undefined): Keyframe | undefined {
  return keyframe && { ...keyframe, stream: Uint8Array.from(keyframe.stream) };
}

const THREE = [1, 2, 3].map((index) =>
  keyframeAfter(`\x1b[3${index}mscreen ${index}\x1b[?1049hx`, index),
);

describe('a keyframe', () => {
  it('is restored from its bytes', () => {
    for (const keyframe of THREE) assert.deepEqual(decode(encodeEntry(keyframe)), keyframe);
  });

  it('is not restored from damaged bytes', () => {
    const bytes = encodeEntry(THREE[0]!);
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 0x80]) {
        const damaged = bytes.slice();
        damaged[at]! ^= bit;
        assert.equal(decode(damaged), undefined, `bit ${bit} of byte ${at}`);
      }
      assert.equal(decode(bytes.slice(0, at)), undefined, `cut at ${at}`);
    }
  });
});

describe('the keyframes of a recording', () => {
  it('are found without reading states, the last usable one by its place', async () => {
    const index = (await KeyframeIndex.open(await fileWith(THREE), FINGERPRINT))!;
    assert.deepEqual(
      index.entries.map((entry) => entry.recordIndex),
      [1, 2, 3],
    );
    assert.deepEqual(plain(await index.last((entry) => entry.recordIndex <= 2)), THREE[1]);
    assert.deepEqual(plain(await index.last(() => true)), THREE[2]);
    assert.equal(await index.last(() => false), undefined);
  });

  it('are read when they are appended, without reading others again', async () => {
    const file = await fileWith(THREE.slice(0, 1));
    const index = (await KeyframeIndex.open(file, FINGERPRINT))!;
    const whole = (await fileWith(THREE)).bytes;
    const reads: number[] = [];
    const read = file.read.bind(file);
    file.read = (offset, length) => {
      reads.push(offset);
      return read(offset, length);
    };
    const known = index.goodLength;
    file.bytes = whole.slice(0, -1);
    assert.ok(await index.extend());
    assert.deepEqual(
      index.entries.map(({ recordIndex }) => recordIndex),
      [1, 2],
      'the last is not whole yet',
    );
    assert.ok(reads.every((offset) => offset === 0 || offset >= known));
    file.bytes = whole;
    assert.ok(await index.extend());
    assert.equal(index.entries.length, 3);
    assert.deepEqual(plain(await index.last(() => true)), THREE[2]);
    file.bytes = whole.slice(0, known);
    assert.equal(await index.extend(), false, 'it became shorter');
  });

  it('are not used for another recording or version', async () => {
    const file = await fileWith(THREE);
    assert.equal(await KeyframeIndex.open(file, FINGERPRINT + 1n), undefined);
    assert.equal(await KeyframeIndex.open(new MemoryFile(), FINGERPRINT), undefined);
    for (let at = 0; at < 22; at++) {
      const damaged = new MemoryFile();
      const bytes = (await file.read(0, await file.size())).slice();
      bytes[at]! ^= 1;
      await damaged.append(bytes);
      assert.equal(await KeyframeIndex.open(damaged, FINGERPRINT), undefined, `byte ${at}`);
    }
  });

  it('survive an incomplete end: complete entries are used, and writing continues after them', async () => {
    const file = await fileWith(THREE);
    const whole = await file.size();
    const lastLength = encodeEntry(THREE[2]!).length;
    for (const missing of [1, lastLength - ENTRY_HEADER_LENGTH, lastLength - 1]) {
      await file.truncate(whole - missing);
      const index = (await KeyframeIndex.open(file, FINGERPRINT))!;
      assert.equal(index.entries.length, 2);
      await (await KeyframeWriter.resume(file, index)).append(THREE[2]!);
      assert.equal(await file.size(), whole);
      assert.equal((await KeyframeIndex.open(file, FINGERPRINT))!.entries.length, 3);
    }
  });

  it('fall back to an earlier one when a state is damaged', async () => {
    const file = await fileWith(THREE);
    const bytes = (await file.read(0, await file.size())).slice();
    bytes[bytes.length - 1]! ^= 1;
    const damaged = new MemoryFile();
    await damaged.append(bytes);
    const index = (await KeyframeIndex.open(damaged, FINGERPRINT))!;
    assert.deepEqual(plain(await index.last(() => true)), THREE[1]);
  });

  it('stop at an entry that does not follow the one before', async () => {
    const index = (await KeyframeIndex.open(
      await fileWith([THREE[0]!, THREE[2]!, THREE[1]!]),
      FINGERPRINT,
    ))!;
    assert.deepEqual(
      index.entries.map((entry) => entry.recordIndex),
      [1, 3],
    );
  });

  it('belong to a recording with the same beginning', () => {
    const [first, second] = recordsOf('a', 'b');
    const fingerprint = recordingFingerprint(SIZE, first);
    assert.equal(recordingFingerprint({ ...SIZE }, { ...first! }), fingerprint);
    assert.notEqual(recordingFingerprint(SIZE, second), fingerprint);
    assert.notEqual(recordingFingerprint(SIZE, { ...first!, tsNs: 1n }), fingerprint);
    assert.notEqual(recordingFingerprint({ cols: 13, rows: 3 }, first), fingerprint);
    assert.notEqual(recordingFingerprint(SIZE, undefined), fingerprint);
  });
});

describe('the keyframe schedule', () => {
  const keyframesOf = (records: ReturnType<typeof recordsOf>, from?: Keyframe): Keyframe[] => {
    const model = from ? TerminalModel.restore(from) : new TerminalModel({ size: SIZE });
    const schedule = new KeyframeSchedule(from);
    return records.flatMap((record) => {
      playRecord(model, record);
      return schedule.afterRecord(model, record) ?? [];
    });
  };

  it('takes one about every 256 KiB of output', () => {
    const records = recordsOf(...Array.from({ length: 128 }, () => 'x'.repeat(16 * 1024)));
    const offsets = keyframesOf(records).map((keyframe) => keyframe.byteOffset / 1024);
    assert.deepEqual(offsets, [256, 512, 768, 1024, 1280, 1536, 1792, 2048]);
  });

  it('takes more of many small records', () => {
    const records = recordsOf(...Array.from({ length: 5000 }, () => 'x'));
    assert.deepEqual(
      keyframesOf(records).map((keyframe) => keyframe.recordIndex),
      [2048, 4096],
    );
  });

  it('takes one every half minute in which there is output', () => {
    const records = recordsOf(...Array.from({ length: 10 }, () => 'x')).map((record, index) => {
      return { ...record, tsNs: BigInt(index) * 20_000_000_000n };
    });
    assert.deepEqual(
      keyframesOf(records).map((keyframe) => keyframe.recordIndex),
      [3, 5, 7, 9],
    );
    const silent = recordsOf('x', ...Array.from({ length: 10 }, () => [20, 5] as const)).map(
      (record, index) => {
        return { ...record, tsNs: BigInt(index) * 20_000_000_000n };
      },
    );
    assert.equal(keyframesOf(silent).length, 1);
  });

  it('takes fewer if states are large: together they stay below the output', () => {
    const model = new TerminalModel({ size: SIZE, historyLines: 0 });
    const schedule = new KeyframeSchedule();
    const title = `\x1b]2;${'t'.repeat(1_000_000)}\x07`;
    let [states, output] = [0, 0];
    for (const record of recordsOf(
      title,
      ...Array.from({ length: 400 }, () => 'x'.repeat(10_000)),
    )) {
      playRecord(model, record);
      output = model.byteOffset;
      states += schedule.afterRecord(model, record)?.stream.length ?? 0;
    }
    assert.ok(states >= 2_000_000, `${states} bytes of states`);
    assert.ok(states < output * 0.7, `${states} bytes of states for ${output} of output`);
    model.dispose();
  });

  it('waits for a moment that can be restored exactly', () => {
    const records = recordsOf('x'.repeat(300 * 1024) + '\x1b', '[31m', 'y'.repeat(9000), 'z');
    assert.deepEqual(
      keyframesOf(records).map((keyframe) => keyframe.recordIndex),
      [3],
    );
  });

  it('continues from a keyframe without a difference', () => {
    const records = recordsOf(
      ...Array.from({ length: 128 }, (_, index) => `${index} `.repeat(3000)),
    );
    const all = keyframesOf(records);
    assert.ok(all.length > 3);
    assert.deepEqual(keyframesOf(records.slice(all[0]!.recordIndex), all[0]), all.slice(1));
  });
});
