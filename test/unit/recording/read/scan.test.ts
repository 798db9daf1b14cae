import assert from 'node:assert/strict';
import { encodeBlock, HEADER_LENGTH } from '../../../../src/recording/format/format.ts';
import { scanBlocks } from '../../../../src/recording/read/scan.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { output, plain, readAll, write } from '../../../support/recording/recordings.ts';

const records = output(300, 25);

/** The same recording with another header length declared, and `extra` bytes really added to each header. */
async function withHeaders(declared: number, extra: number): Promise<Buffer> {
  const file = await write(records, 3);
  const { blocks } = await scanBlocks(file);
  const parts = blocks.flatMap((block) => {
    const header = Buffer.from(file.bytes.slice(block.fileOffset, block.payloadOffset));
    header.writeUInt16LE(declared, 6);
    const payloadEnd = block.payloadOffset + block.compressedLength;
    const payload = file.bytes.slice(block.payloadOffset, payloadEnd);
    return [header, Buffer.alloc(extra, 0xee), payload];
  });
  return Buffer.concat(parts);
}

describe('scanBlocks', () => {
  it('lists every block with its place', async () => {
    const file = await write(records, 3);
    const { blocks, goodLength, problem } = await scanBlocks(file);
    assert.equal(problem, undefined);
    assert.equal(goodLength, file.bytes.length);
    assert.deepEqual(
      blocks.map((block) => [block.firstRecordIndex, block.recordCount, block.startByteOffset]),
      [
        [0, 3, 0],
        [3, 3, 75],
        [6, 3, 150],
        [9, 3, 225],
        [12, 0, 300],
      ],
    );
    assert.deepEqual(
      blocks.map((block) => block.isLast),
      [false, false, false, false, true],
    );
  });

  it('reports no problem for an empty file', async () => {
    assert.deepEqual(await scanBlocks(new MemoryFile()), { blocks: [], goodLength: 0 });
  });

  it('continues at a given block', async () => {
    const file = await write(records, 3);
    const { blocks } = await scanBlocks(file);
    const fromOffset = blocks[2]?.fileOffset ?? 0;
    const rest = await scanBlocks(file, { fromOffset, firstRecordIndex: 6 });
    assert.deepEqual(rest.blocks, blocks.slice(2));
  });

  it('reads many headers at a time', async () => {
    const file = await write(output(20_000, 10), 1);
    file.reads = 0;
    const { blocks } = await scanBlocks(file);
    assert.equal(blocks.length, 2001);
    assert.ok(file.reads <= 10, `${file.reads} reads`);
  });

  it('can be aborted', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(scanBlocks(await write(records, 3), { signal }), { name: 'AbortError' });
  });

  it('reports a file that is not a recording', async () => {
    for (const text of ['x', 'hello', '{"version": 2}\n'.repeat(10), '\0'.repeat(100)]) {
      const { blocks, problem, goodLength } = await scanBlocks(new MemoryFile(Buffer.from(text)));
      assert.deepEqual([blocks.length, problem?.kind, goodLength], [0, 'badMagic', 0]);
    }
  });

  it('reports a later version, and byte offsets beyond 2^53', async () => {
    const file = await write(records, 3);
    const second = (await scanBlocks(file)).blocks[1]?.fileOffset ?? 0;
    for (const [at, byte, kind] of [
      [4, 2, 'badVersion'],
      [6, 20, 'badLengths'],
      [22, 0x20, 'badLengths'],
    ] as const) {
      const bytes = Buffer.from(file.bytes);
      bytes[second + at] = byte;
      const scan = await scanBlocks(new MemoryFile(bytes));
      assert.equal(scan.problem?.kind, kind);
      assert.equal(scan.problem?.fileOffset, second);
      assert.equal(scan.goodLength, second);
      assert.equal(scan.blocks.length, 1);
    }
  });

  it('explains in a sentence why it stopped', async () => {
    const file = await write(records, 3);
    const size = file.bytes.length;
    const second = (await scanBlocks(file)).blocks[1]?.fileOffset ?? 0;
    const messageWith = async (at: number, byte: number): Promise<string | undefined> => {
      const bytes = Buffer.from(file.bytes);
      bytes[second + at] = byte;
      return (await scanBlocks(new MemoryFile(bytes))).problem?.message;
    };
    const good = `The first ${second} of ${size} bytes are intact; `;
    assert.equal(await messageWith(0, 0), `${good}what follows them is not a block.`);
    assert.equal(
      await messageWith(4, 2),
      `${good}the block after them has a version that this program does not know.`,
    );
    assert.equal(
      await messageWith(6, 20),
      `${good}the block after them claims a header below the minimum length.`,
    );
    assert.equal(
      await messageWith(22, 0x20),
      `${good}the block after them claims an impossible byte offset.`,
    );
    const cut = await scanBlocks(new MemoryFile(file.bytes.slice(0, second + 10)));
    assert.deepEqual(cut.problem, {
      kind: 'truncated',
      fileOffset: second,
      message: `The first ${second} of ${second + 10} bytes are intact; the file ends inside the header of the next block.`,
    });
  });

  it('accepts the largest byte offset that a number can hold', async () => {
    const facts = { startTsNs: 0n, uncompressedLength: 0, recordCount: 0, isLast: false };
    const startByteOffset = Number.MAX_SAFE_INTEGER;
    const block = encodeBlock({ ...facts, startByteOffset }, Uint8Array.of(0x3b));
    const { blocks, problem } = await scanBlocks(new MemoryFile(block));
    assert.deepEqual([blocks[0]?.startByteOffset, problem], [startByteOffset, undefined]);
    new DataView(block.buffer).setBigUint64(16, 2n ** 53n, true);
    assert.equal((await scanBlocks(new MemoryFile(block))).problem?.kind, 'badLengths');
  });

  it('finds the last block by its flag, whatever the other flags are', async () => {
    const file = await write(records, 3);
    const { blocks } = await scanBlocks(file);
    file.bytes[36] = 2;
    file.bytes[(blocks[1]?.fileOffset ?? 0) + 36] = 3;
    assert.deepEqual(
      (await scanBlocks(file)).blocks.map((block) => block.isLast),
      [false, true, false, false, true],
    );
  });

  it('reports the good length and the missing bytes', async () => {
    const file = await write(records, 3);
    const last = (await scanBlocks(file)).blocks.at(-1)?.fileOffset ?? 0;
    const scan = await scanBlocks(new MemoryFile(file.bytes.slice(0, last + HEADER_LENGTH)));
    assert.deepEqual(scan.problem, {
      kind: 'truncated',
      fileOffset: last,
      message: `The first ${last} of ${last + 44} bytes are intact; the block after them lacks 1 bytes.`,
    });
  });
});

describe('header length', () => {
  it('48 declared and 44 written, as the reference does', async () => {
    assert.deepEqual(await readAll(await withHeaders(48, 0)), plain(records));
  });

  it('48 declared and 48 written', async () => {
    assert.deepEqual(await readAll(await withHeaders(48, 4)), plain(records));
  });

  it('longer ones of a later version', async () => {
    for (const length of [45, 52, 64, 1000]) {
      assert.deepEqual(await readAll(await withHeaders(length, length - 44)), plain(records));
    }
  });

  it('48 declared, and a payload far beyond the end of a large file', async () => {
    const header = encodeBlock(
      { startTsNs: 0n, startByteOffset: 0, uncompressedLength: 100, recordCount: 1, isLast: false },
      new Uint8Array(0),
    );
    new DataView(header.buffer).setUint16(6, 48, true);
    new DataView(header.buffer).setUint32(28, 0xffffffff, true);
    const file = new MemoryFile(Buffer.concat([header, Buffer.alloc(300_000)]));
    assert.equal((await scanBlocks(file)).problem?.kind, 'truncated');
  });

  it('a reference file cut anywhere yields its whole blocks', async () => {
    const bytes = await withHeaders(48, 0);
    const { blocks } = await scanBlocks(new MemoryFile(bytes));
    for (let length = 0; length < bytes.length; length++) {
      const scan = await scanBlocks(new MemoryFile(bytes.subarray(0, length)));
      const whole = blocks.filter((b) => b.payloadOffset + b.compressedLength <= length);
      assert.deepEqual(scan.blocks, whole, `${length} bytes`);
      assert.equal(scan.problem === undefined, scan.goodLength === length);
    }
  });
});
