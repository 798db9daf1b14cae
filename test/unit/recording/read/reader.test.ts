import assert from 'node:assert/strict';
import type { Decompressor } from '../../../../src/recording/format/ports.ts';
import { RecordingReader, type RecordRange } from '../../../../src/recording/read/reader.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { oneOfEach, output, plain, readAll, write } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

const records = output(400, 10);

async function recordsOf(reader: RecordingReader, range?: RecordRange): Promise<AhrRecord[]> {
  const found: AhrRecord[] = [];
  for await (const record of reader.records(range)) found.push(record);
  return plain(found);
}

describe('RecordingReader', () => {
  it('reads ranges of records, across blocks and beyond the ends', async () => {
    const reader = await RecordingReader.open(await write(records, 7), syncBrotli);
    assert.equal(reader.recordCount, 40);
    for (const [from, to] of [
      [0, 40],
      [0, 7],
      [6, 8],
      [7, 7],
      [13, 35],
      [39, 1000],
      [40, 50],
      [100, 200],
    ] as const) {
      assert.deepEqual(await recordsOf(reader, { from, to }), plain(records.slice(from, to)));
    }
    assert.deepEqual(await recordsOf(reader, { from: 30 }), plain(records.slice(30)));
  });

  it('can be aborted', async () => {
    const reader = await RecordingReader.open(await write(records, 7), syncBrotli);
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const record of reader.records({ signal: controller.signal })) {
        if (record.tsNs > 0n) controller.abort();
      }
    };
    await assert.rejects(read(), { name: 'AbortError' });
  });

  it('decodes a block once while it is in use, and few at a time', async () => {
    let decodes = 0;
    const counting: Decompressor = {
      decompress(bytes, maxLength) {
        decodes++;
        return syncBrotli.decompress(bytes, maxLength);
      },
    };
    const reader = await RecordingReader.open(await write(records, 1), counting);
    await Promise.all([reader.readBlock(3), reader.readBlock(3)]);
    await reader.readBlock(3);
    assert.equal(decodes, 1);
    for (let index = 4; index < 11; index++) await reader.readBlock(index);
    await reader.readBlock(3);
    assert.equal(decodes, 8);
    await reader.readBlock(11);
    await reader.readBlock(3);
    assert.equal(decodes, 9, 'the one unused for longest goes');
    await reader.readBlock(4);
    assert.equal(decodes, 10);
  });

  it('reads no block ahead of a range that is marked as short', async () => {
    const file = await write(records, 10);
    let decodes = 0;
    const reader = await RecordingReader.open(file, {
      decompress: (bytes, length) => {
        decodes++;
        return syncBrotli.decompress(bytes, length);
      },
    });
    for await (const record of reader.records({ from: 12, isShort: true })) {
      assert.deepEqual(plain([record]), plain([records[12]!]));
      break;
    }
    assert.equal(decodes, 1);
    for await (const record of reader.records({ from: 32 })) {
      assert.ok(record);
      break;
    }
    assert.equal(decodes, 3, 'else one block ahead');
    assert.deepEqual(await recordsOf(reader, { from: 5, isShort: true }), plain(records.slice(5)));
  });

  it('skips a damaged block and reports it', async () => {
    const file = await write(records, 10);
    const second = (await scanBlocks(file)).blocks[1];
    assert.ok(second);
    file.bytes.fill(0xff, second.payloadOffset, second.payloadOffset + second.compressedLength);
    const reader = await RecordingReader.open(file, syncBrotli);
    const { records: none, problem } = await reader.readBlock(1);
    assert.deepEqual(none, []);
    assert.equal(problem?.kind, 'badBlock');
    assert.equal(problem?.fileOffset, second.fileOffset);
    const expected = [...records.slice(0, 10), ...records.slice(20)];
    assert.deepEqual(await recordsOf(reader), plain(expected));
    const problems = [];
    for await (const block of reader.blocksOf()) problems.push(block.problem?.kind);
    assert.deepEqual(problems, [undefined, 'badBlock', undefined, undefined, undefined]);
  });

  it('reports a block that the file no longer has', async () => {
    const file = await write(records, 10);
    const reader = await RecordingReader.open(file, syncBrotli);
    file.bytes = file.bytes.slice(0, reader.blocks[2]?.fileOffset);
    assert.equal((await reader.readBlock(1)).problem, undefined);
    assert.equal((await reader.readBlock(2)).problem?.kind, 'truncated');
  });

  it('fails if the file cannot be read at all', async () => {
    const file = await write(records, 10);
    const reader = await RecordingReader.open(file, syncBrotli);
    const read = file.read.bind(file);
    file.read = () => Promise.reject(new Error('input/output error'));
    await assert.rejects(reader.readBlock(0), /input\/output/);
    file.read = read;
    assert.equal((await reader.readBlock(0)).records.length, 10, 'the failure is not kept');
    assert.throws(() => reader.readBlock(99), {
      name: 'RangeError',
      message: 'Block 99 does not exist.',
    });
  });

  it('has nothing to read in an empty file', async () => {
    const reader = await RecordingReader.open(new MemoryFile(), syncBrotli);
    assert.deepEqual([reader.recordCount, reader.isFinished], [0, false]);
    assert.deepEqual(await recordsOf(reader), []);
    assert.deepEqual(await recordsOf(reader, { from: 3, to: 9 }), []);
  });

  it('reads no block behind the end of a range', async () => {
    for (const isShort of [true, false]) {
      let decodes = 0;
      const reader = await RecordingReader.open(await write(records, 10), {
        decompress: (bytes, length) => {
          decodes++;
          return syncBrotli.decompress(bytes, length);
        },
      });
      const found = await recordsOf(reader, { from: 12, to: 20, isShort });
      assert.deepEqual(found, plain(records.slice(12, 20)));
      assert.equal(decodes, 1);
    }
  });
});

describe('a file cut at every byte', () => {
  it('yields exactly its complete blocks and reports the rest', async () => {
    const all = [...oneOfEach(), ...output(400, 40).map(after(18))];
    const whole = await write(all, 4);
    const { blocks } = await scanBlocks(whole);
    for (let length = 0; length <= whole.bytes.length; length++) {
      const file = new MemoryFile(whole.bytes.slice(0, length));
      const reader = await RecordingReader.open(file, syncBrotli);
      const kept = blocks.filter((b) => b.payloadOffset + b.compressedLength <= length);
      const goodLength = kept.reduce((sum, b) => sum + b.headerLength + b.compressedLength, 0);
      const count = kept.reduce((sum, b) => sum + b.recordCount, 0);
      assert.equal(reader.goodLength, goodLength, `${length} bytes`);
      assert.equal(reader.problem?.kind, goodLength === length ? undefined : 'truncated');
      assert.equal(reader.isFinished, length === whole.bytes.length);
      assert.deepEqual(await recordsOf(reader), plain(all.slice(0, count)));
    }
  });
});

function after(bytes: number): (record: AhrRecord) => AhrRecord {
  return (record) =>
    record.kind === 'data'
      ? { ...record, startByteOffset: record.startByteOffset + bytes }
      : record;
}

describe('RecordingReader.refresh', () => {
  it('follows a file as it grows, byte by byte', async () => {
    const whole = await write(records.slice(0, 12), 3);
    const file = new MemoryFile();
    const reader = await RecordingReader.open(file, syncBrotli);
    const results = new Set<string>();
    for (let length = 1; length <= whole.bytes.length; length++) {
      file.bytes = whole.bytes.slice(0, length);
      results.add(await reader.refresh());
      const fresh = await RecordingReader.open(file, syncBrotli);
      assert.deepEqual(reader.blocks, fresh.blocks);
      assert.deepEqual(reader.problem, fresh.problem);
      assert.equal(reader.goodLength, fresh.goodLength);
    }
    assert.deepEqual(results, new Set(['unchanged', 'grown']));
    assert.deepEqual(await recordsOf(reader), plain(records.slice(0, 12)));
    assert.equal(reader.isFinished, true);
  });

  it('adds each block once, even if two refreshes run at a time', async () => {
    const whole = await write(records, 5);
    const file = new MemoryFile(whole.bytes.slice(0, 1));
    const reader = await RecordingReader.open(file, syncBrotli);
    file.bytes = whole.bytes;
    const results = await Promise.all([reader.refresh(), reader.refresh()]);
    assert.deepEqual(results, ['grown', 'unchanged']);
    assert.equal(reader.blocks.length, 9);
  });

  it('notices that the file became shorter or was replaced', async () => {
    const file = await write(records, 5);
    const reader = await RecordingReader.open(file, syncBrotli);
    await reader.readBlock(0);
    file.bytes = file.bytes.slice(0, -1);
    assert.equal(await reader.refresh(), 'replaced');
    assert.equal(reader.problem?.kind, 'truncated');
    assert.equal(reader.blocks.length, 8);

    const other = output(900, 9);
    file.bytes = (await write(other, 5)).bytes;
    assert.equal(await reader.refresh(), 'replaced');
    assert.equal(reader.problem, undefined);
    assert.deepEqual(await recordsOf(reader), plain(other), 'nothing of the old one is kept');
    assert.equal(await reader.refresh(), 'unchanged');

    file.bytes = new Uint8Array(0);
    assert.equal(await reader.refresh(), 'replaced');
    assert.deepEqual(reader.blocks, []);
  });

  it('finds a file repacked in its place', async () => {
    const file = await write(records, 1);
    const reader = await RecordingReader.open(file, syncBrotli);
    file.bytes = (await write(records)).bytes;
    assert.equal(await reader.refresh(), 'replaced');
    assert.deepEqual(await recordsOf(reader), plain(records));
    assert.deepEqual(await readAll(file), plain(records));
  });

  for (const [what, at] of [
    ['time', 8],
    ['byte offset', 16],
    ['length', 24],
    ['length of its payload', 28],
    ['count of records', 32],
  ] as const) {
    it(`notices that a block has another ${what}`, async () => {
      for (const index of [0, 7]) {
        // Removes the empty last block, whose payload is too short to be cut.
        const file = await write(records, 5, { maxSegmentBytes: 1e6 });
        const end = (await scanBlocks(file)).blocks.at(-1);
        file.bytes = file.bytes.slice(0, end?.fileOffset);
        const reader = await RecordingReader.open(file, syncBrotli);
        const place = (reader.blocks[index]?.fileOffset ?? 0) + at;
        file.bytes[place] = (file.bytes[place] ?? 0) - 1;
        assert.equal(await reader.extend(), 'replaced', `block ${index}`);
        assert.equal(reader.blocks.length, 8, 'extend leaves the blocks as they are');
        assert.equal(await reader.refresh(), 'replaced', `block ${index}`);
      }
    });
  }

  it('notices that a block is no longer a block', async () => {
    const file = await write(records, 5);
    const reader = await RecordingReader.open(file, syncBrotli);
    file.bytes[0] = 0;
    assert.equal(await reader.refresh(), 'replaced');
    assert.equal(reader.problem?.kind, 'badMagic');
  });

  it('adds the blocks that were written since the last refresh', async () => {
    const whole = await write(records, 5);
    const { blocks } = await scanBlocks(whole);
    const file = new MemoryFile(whole.bytes.slice(0, blocks[2]?.fileOffset));
    const reader = await RecordingReader.open(file, syncBrotli);
    assert.equal(await reader.extend(), 'unchanged');
    file.bytes = whole.bytes;
    const known = reader.blocks;
    const results = await Promise.all([reader.extend(), reader.extend()]);
    assert.deepEqual(results, ['grown', 'unchanged']);
    assert.equal(reader.blocks, known, 'the list grows in place');
    assert.deepEqual(reader.blocks, blocks);
    assert.equal(reader.recordCount, 40);
  });

  it('keeps decoded blocks, unless the file was replaced', async () => {
    const whole = await write(records, 5);
    const { blocks } = await scanBlocks(whole);
    const file = new MemoryFile(whole.bytes.slice(0, blocks[2]?.fileOffset));
    const reader = await RecordingReader.open(file, syncBrotli);
    const known = reader.blocks;
    const decoded = await reader.readBlock(0);
    file.bytes = whole.bytes;
    assert.equal(await reader.refresh(), 'grown');
    assert.equal(reader.blocks, known, 'the list grows in place');
    assert.equal(await reader.readBlock(0), decoded);
    file.bytes = (await write(records, 4)).bytes;
    assert.equal(await reader.refresh(), 'replaced');
    assert.notEqual(await reader.readBlock(0), decoded);
  });
});
