import assert from 'node:assert/strict';
import { ByteWriter } from '../../../../src/base/bytes.ts';
import { encodeBlock } from '../../../../src/recording/format/format.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import { encodeRecord } from '../../../../src/recording/format/segment.ts';
import { MAX_FINDINGS, validateRecording } from '../../../../src/recording/read/validator.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { oneOfEach, output, write } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

interface BlockDraft {
  records: AhrRecord[];
  recordCount?: number;
  startByteOffset?: number;
  startTsNs?: bigint;
  uncompressedLength?: number;
  isLast?: boolean;
}

/** A file of blocks that may be invalid. */
async function fileOf(...drafts: BlockDraft[]): Promise<MemoryFile> {
  const file = new MemoryFile();
  for (const draft of drafts) {
    const segment = new ByteWriter();
    for (const record of draft.records) encodeRecord(segment, record);
    const facts = {
      startTsNs: draft.records[0]?.tsNs ?? 0n,
      startByteOffset: 0,
      uncompressedLength: segment.length,
      recordCount: draft.records.length,
      isLast: false,
      ...draft,
    };
    await file.append(encodeBlock(facts, await syncBrotli.compress(segment.toBytes(), 4)));
  }
  return file;
}

async function findings(file: MemoryFile): Promise<string[]> {
  const { problems, ok } = await validateRecording(file, syncBrotli);
  assert.equal(
    ok,
    problems.every(({ severity }) => severity === 'warning'),
  );
  return problems.map(({ severity, kind, message }) => `${severity} ${kind}: ${message}`);
}

const data = (startByteOffset: number, length: number, tsNs = 1n): AhrRecord => ({
  kind: 'data',
  tsNs,
  startByteOffset,
  bytes: new Uint8Array(length),
});

const resize: AhrRecord = { kind: 'resize', tsNs: 1n, cols: 80, rows: 24 };

describe('validateRecording', () => {
  it('accepts recordings that we write', async () => {
    const file = await write(oneOfEach(), 2);
    assert.deepEqual(await validateRecording(file, syncBrotli), {
      ok: true,
      blocks: 4,
      records: 6,
      dataBytes: 18,
      goodBytes: file.bytes.length,
      problems: [],
      furtherProblems: 0,
      isFinished: true,
    });
  });

  it('reports an unfinished recording, without an error', async () => {
    const report = await validateRecording(await fileOf({ records: [data(0, 5)] }), syncBrotli);
    assert.deepEqual([report.ok, report.isFinished], [true, false]);
  });

  it('reports an incomplete end and the good length before it', async () => {
    const file = await write(output(100, 10), 2);
    const last = (await scanBlocks(file)).blocks.at(-1);
    file.bytes = file.bytes.slice(0, -1);
    const report = await validateRecording(file, syncBrotli);
    assert.deepEqual([report.ok, report.isFinished], [false, false]);
    assert.equal(report.goodBytes, last?.fileOffset);
    assert.deepEqual([report.records, report.dataBytes], [10, 100]);
    assert.equal(report.problems[0]?.kind, 'truncated');
  });

  it('reports a wrong count of records', async () => {
    const [found] = await findings(await fileOf({ records: [data(0, 50)], recordCount: 2 }));
    assert.equal(found, 'error badRecord: The block at byte 0 holds 1 records instead of 2.');
  });

  it('reports a segment of another length', async () => {
    const longer = await findings(await fileOf({ records: [data(0, 5)], uncompressedLength: 30 }));
    assert.match(longer[0] ?? '', /badBlock.*expands to 29 bytes instead of 30/);
    const shorter = await findings(await fileOf({ records: [data(0, 5)], uncompressedLength: 28 }));
    assert.match(shorter[0] ?? '', /badBlock.*cannot be decompressed/);
  });

  it('reports a header that contradicts its records', async () => {
    assert.deepEqual(await findings(await fileOf({ records: [data(0, 5)], startTsNs: 9n })), [
      'error badOrder: The block at byte 0 starts at another time than its first record.',
    ]);
    const [start, rest] = await findings(
      await fileOf({ records: [data(0, 5)] }, { records: [data(5, 5)] }),
    );
    assert.match(start ?? '', /^error badOrder: .* starts at byte 0 of the output, after 5\.$/);
    assert.match(rest ?? '', /^error badOrder: .* does not continue the output before it\.$/);
  });

  it('reports output that leaves a gap or comes twice, once per block', async () => {
    for (const records of [
      [data(0, 5), data(6, 5), data(12, 1)],
      [data(0, 5), data(4, 5)],
    ]) {
      assert.deepEqual(await findings(await fileOf({ records })), [
        'error badOrder: The block at byte 0 has output that does not continue the output before it.',
      ]);
    }
  });

  it('reports a snapshot anchored beyond the output', async () => {
    const snapshot = {
      kind: 'snapshot',
      tsNs: 1n,
      snapshotId: 1n,
      anchorByte: 6,
      label: '',
    } as const;
    assert.deepEqual(await findings(await fileOf({ records: [data(0, 5), snapshot] })), [
      'error badOrder: The block at byte 0 has a snapshot at output that was not printed yet.',
    ]);
    assert.deepEqual(await findings(await fileOf({ records: [data(0, 6), snapshot] })), []);
  });

  it('reports a last block that is not the last', async () => {
    const file = await fileOf(
      { records: [data(0, 5)], isLast: true },
      { records: [data(5, 5)], startByteOffset: 5, isLast: true },
    );
    assert.deepEqual(await findings(file), [
      'error badOrder: The block at byte 0 is marked as the last one, but others follow.',
    ]);
  });

  it('warns of reserved bits, padding, and time going backwards', async () => {
    const file = await fileOf({ records: [data(0, 5, 9n), data(5, 5, 8n)] });
    assert.deepEqual(await findings(file), [
      'warning badOrder: The block at byte 0 goes back in time.',
    ]);
    for (const [at, byte] of [
      [36, 2],
      [40, 1],
    ] as const) {
      const reserved = await fileOf({ records: [data(0, 5)] });
      reserved.bytes[at] = byte;
      assert.deepEqual(await findings(reserved), [
        'warning badLengths: The block at byte 0 uses reserved bits.',
      ]);
    }
    const segment = new ByteWriter();
    encodeRecord(segment, data(0, 5));
    const padded = segment.toBytes();
    padded[1] = 1;
    const payload = await syncBrotli.compress(padded, 4);
    const facts = {
      startTsNs: 1n,
      startByteOffset: 0,
      uncompressedLength: 29,
      recordCount: 1,
      isLast: false,
    };
    const withPadding = new MemoryFile(encodeBlock(facts, payload));
    assert.deepEqual(await findings(withPadding), [
      'warning badRecord: The block at byte 0 has padding that is not zero.',
    ]);
  });

  it('continues after an unreadable block without an error for the next one', async () => {
    const file = await write(output(100, 10), 2);
    const second = (await scanBlocks(file)).blocks[1];
    assert.ok(second);
    file.bytes.fill(0xff, second.payloadOffset, second.payloadOffset + second.compressedLength);
    const report = await validateRecording(file, syncBrotli);
    assert.equal(report.problems.length, 1);
    assert.deepEqual([report.goodBytes, report.records], [second.fileOffset, 8]);
  });

  it('counts everything before the first error as good, despite warnings', async () => {
    const file = await fileOf(
      { records: [data(0, 5, 9n)] },
      { records: [data(5, 5, 8n)], startByteOffset: 5 },
      { records: [data(11, 5)], startByteOffset: 11 },
      { records: [data(17, 5)], startByteOffset: 17 },
    );
    const { blocks } = await scanBlocks(file);
    const report = await validateRecording(file, syncBrotli);
    assert.equal(report.goodBytes, blocks[2]?.fileOffset);
    assert.equal(report.dataBytes, 22);
  });

  it('keeps its report short', async () => {
    const drafts = Array.from({ length: 150 }, () => ({ records: [data(0, 5)], startTsNs: 9n }));
    const resized = drafts.map((draft) => ({ ...draft, records: [resize] }));
    const report = await validateRecording(await fileOf(...resized), syncBrotli);
    assert.equal(report.problems.length, MAX_FINDINGS);
    assert.equal(report.furtherProblems, 50);
    assert.equal(report.ok, false);
  });

  it('reports its progress, and can be aborted', async () => {
    const file = await write(output(100, 10), 2);
    const controller = new AbortController();
    const progress: number[] = [];
    const onProgress = (done: number, total: number): void => {
      assert.equal(total, file.bytes.length);
      progress.push(done);
      if (progress.length === 3) controller.abort();
    };
    const { signal } = controller;
    await assert.rejects(validateRecording(file, syncBrotli, { signal, onProgress }), {
      name: 'AbortError',
    });
    assert.equal(progress.length, 3);
    await validateRecording(file, syncBrotli, { onProgress });
    assert.equal(progress.at(-1), file.bytes.length);
  });

  it('warns of time that goes back between blocks, once per block', async () => {
    const file = await fileOf(
      { records: [data(0, 5, 9n)] },
      { records: [data(5, 5, 9n)], startByteOffset: 5 },
      { records: [data(10, 5, 8n), data(15, 5, 7n), data(20, 5, 6n)], startByteOffset: 10 },
    );
    const { blocks } = await scanBlocks(file);
    assert.deepEqual(await findings(file), [
      `warning badOrder: The block at byte ${blocks[2]?.fileOffset} goes back in time.`,
    ]);
  });

  it('checks the order again behind the block that follows a damaged one', async () => {
    const file = await fileOf(
      { records: [data(0, 5)], uncompressedLength: 30 },
      { records: [data(50, 5)], startByteOffset: 50 },
      { records: [data(60, 5)], startByteOffset: 60 },
    );
    const [, , third] = (await scanBlocks(file)).blocks;
    const [damage, gap, ...more] = await findings(file);
    assert.match(damage ?? '', /^error badBlock: The block at byte 0 expands to 29 bytes/);
    assert.equal(
      gap,
      `error badOrder: The block at byte ${third?.fileOffset} starts at byte 60 of the output, after 55.`,
    );
    assert.deepEqual(more, []);
  });

  it('reports several contradictions of one block', async () => {
    const anchored = { kind: 'snapshot', tsNs: 0n, snapshotId: 1n, anchorByte: 99 } as const;
    const file = await fileOf({
      records: [data(0, 5), data(6, 5), { ...anchored, label: '' }],
    });
    assert.deepEqual(await findings(file), [
      'error badOrder: The block at byte 0 has output that does not continue the output before it.',
      'warning badOrder: The block at byte 0 goes back in time.',
      'error badOrder: The block at byte 0 has a snapshot at output that was not printed yet.',
    ]);
  });

  it('counts no output of an empty file, and does not call it finished', async () => {
    assert.deepEqual(await validateRecording(new MemoryFile(), syncBrotli), {
      ok: true,
      blocks: 0,
      records: 0,
      dataBytes: 0,
      goodBytes: 0,
      problems: [],
      furtherProblems: 0,
      isFinished: false,
    });
  });

  it('does not report a recording with an incomplete last block as finished', async () => {
    const file = await fileOf({ records: [data(0, 5)], isLast: true });
    const goodBytes = file.bytes.length;
    await file.append(file.bytes.slice(0, 20));
    const report = await validateRecording(file, syncBrotli);
    assert.deepEqual([report.isFinished, report.goodBytes], [false, goodBytes]);
  });

  it('reports the end of each block as progress', async () => {
    const file = await write(output(100, 10), 2);
    const { blocks } = await scanBlocks(file);
    const progress: number[] = [];
    await validateRecording(file, syncBrotli, { onProgress: (done) => progress.push(done) });
    assert.deepEqual(
      progress,
      blocks.map(({ payloadOffset, compressedLength }) => payloadOffset + compressedLength),
    );
  });

  it('reports a first block that does not start with the output', async () => {
    const file = await fileOf({ records: [data(7, 5)], startByteOffset: 7 });
    assert.deepEqual(await findings(file), [
      'error badOrder: The block at byte 0 starts at byte 7 of the output, after 0.',
    ]);
  });

  it('reports a file that becomes shorter meanwhile', async () => {
    const file = await write(output(40, 10), 2);
    const [, second, third] = (await scanBlocks(file)).blocks;
    assert.ok(second && third);
    const onProgress = (): void => {
      file.bytes = file.bytes.slice(0, second.fileOffset);
    };
    const { problems } = await validateRecording(file, syncBrotli, { onProgress });
    assert.deepEqual(
      problems.map(({ severity, message }) => `${severity}: ${message}`),
      [second, third].map(
        ({ fileOffset }) =>
          `error: The block at byte ${fileOffset} is incomplete: the file became shorter.`,
      ),
    );
  });
});
