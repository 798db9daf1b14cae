import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { WasmBrotli, type WasmStream } from '../../../../src/extension/web/wasmBrotli.ts';
import { brotliDecompressor } from '../../../../src/platform/node/files/brotli.ts';
import { encodeBlock } from '../../../../src/recording/format/format.ts';
import { RecordingReader } from '../../../../src/recording/read/reader.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { oneOfEach, output, plain, write } from '../../../support/recording/recordings.ts';

interface WasmModule {
  default(module: Uint8Array): Promise<{ memory: { buffer: ArrayBuffer } }>;
  DecompressStream: new () => WasmStream;
}

/** The files that the browser bundle is built from. */
const folder = path.resolve(import.meta.dirname, '../../../../node_modules/brotli-wasm/pkg.web');

describe('WasmBrotli', () => {
  let wasm: WasmBrotli;
  let memory: { buffer: ArrayBuffer };
  let open = 0;
  let breaths = 0;

  before(async () => {
    const module = (await import(path.join(folder, 'brotli_wasm.js'))) as WasmModule;
    ({ memory } = await module.default(readFileSync(path.join(folder, 'brotli_wasm_bg.wasm'))));
    wasm = new WasmBrotli({
      newStream: () => {
        open++;
        const stream = new module.DecompressStream();
        const free = () => {
          open--;
          stream.free();
        };
        return Promise.resolve({ decompress: (i, n) => stream.decompress(i, n), free });
      },
      breathe: () => {
        breaths++;
        return undefined;
      },
    });
  });

  afterEach(() => assert.equal(open, 0, 'every stream is freed'));

  async function readAll(bytes: Uint8Array, decompressor = wasm as typeof brotliDecompressor) {
    const reader = await RecordingReader.open(new MemoryFile(bytes), decompressor);
    const records: AhrRecord[] = [];
    const problems: (string | undefined)[] = [];
    for await (const block of reader.blocksOf()) {
      records.push(...block.records);
      problems.push(block.problem?.kind);
    }
    return { records: plain(records), problems, problem: reader.problem?.kind };
  }

  it('decompresses all kinds of records at all qualities', async () => {
    for (let quality = 0; quality <= 11; quality++) {
      const { bytes } = await write(oneOfEach(), 2, { quality });
      assert.deepEqual((await readAll(bytes)).records, plain(oneOfEach()), `${quality}`);
    }
  });

  for (const name of PTY_FIXTURES) {
    it(`reads ${name} as Node does`, async () => {
      const { records } = readPtyFixture(name);
      const { bytes } = await write(records, 50);
      assert.deepEqual(await readAll(bytes), await readAll(bytes, brotliDecompressor));
      assert.equal((await readAll(bytes)).records.length, records.length);
    });
  }

  it('decompresses large blocks in steps and yields in between', async () => {
    const records = output(5_000_000, 500_000);
    const { bytes } = await write(records);
    breaths = 0;
    assert.deepEqual((await readAll(bytes)).records, plain(records));
    assert.ok(breaths >= 60, `${breaths} breaths`);
  });

  it('reads the intact part of a truncated file, as Node does', async () => {
    const { bytes } = await write(oneOfEach(), 2);
    for (let length = 0; length <= bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      assert.deepEqual(await readAll(cut), await readAll(cut, brotliDecompressor), `${length}`);
    }
  });

  it('stops at the maximum length of a block', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(30_000_000));
    assert.ok(bomb.length < 2000);
    const before = memory.buffer.byteLength;
    await assert.rejects(wasm.decompress(bomb, 100_000), /its content is longer than the limit/);
    assert.ok(memory.buffer.byteLength - before < 20_000_000, 'its memory stays small');
    const facts = { startTsNs: 1n, startByteOffset: 0, recordCount: 1, isLast: true };
    const block = encodeBlock({ ...facts, uncompressedLength: 100_000 }, bomb);
    assert.deepEqual((await readAll(block)).problems, ['badBlock']);
  });

  it('accepts exactly the maximum length', async () => {
    const packed = brotliCompressSync(Buffer.alloc(1000, 'x'));
    assert.equal((await wasm.decompress(packed, 1000)).length, 1000);
    assert.equal((await wasm.decompress(packed, 5000)).length, 1000);
    await assert.rejects(wasm.decompress(packed, 999), /longer than the limit/);
    assert.equal((await wasm.decompress(brotliCompressSync(Buffer.alloc(0)), 0)).length, 0);
  });

  it('refuses a stream with a large window', async () => {
    const params = {
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_LGWIN]: 30,
    };
    const large = brotliCompressSync(Buffer.alloc(100_000, 'window'), { params });
    await assert.rejects(wasm.decompress(large, 100_000), /window is too large/);
    await assert.rejects(brotliDecompressor.decompress(large, 100_000));
  });

  it('fails on damage, and decompresses the next stream', async () => {
    const good = brotliCompressSync(readPtyFixture('codex').bytes);
    const length = readPtyFixture('codex').bytes.length;
    const random = new Random(11);
    let failures = 0;
    for (let round = 0; round < 100; round++) {
      const bad = Uint8Array.from(good);
      for (let hit = 0; hit < 3; hit++) bad[random.below(bad.length)] = random.below(256);
      await wasm.decompress(bad, length).catch((error: unknown) => {
        assert.ok(error instanceof Error);
        failures++;
      });
    }
    assert.ok(failures > 30, `${failures} failures`);
    assert.equal((await wasm.decompress(good, length)).length, length);
    await assert.rejects(wasm.decompress(new Uint8Array(0), 10), /its end is missing/);
  });
});
