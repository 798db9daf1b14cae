import assert from 'node:assert/strict';
import {
  brotliCompressor,
  brotliDecompressor,
} from '../../../../../src/platform/node/files/brotli.ts';

const text = Buffer.from('agent output, '.repeat(100_000));

describe('brotli of node:zlib', () => {
  it('restores data at every quality and length', async () => {
    for (const quality of [0, 1, 4, 6, 9, 10, 11]) {
      for (const length of [0, 1, 1000, 100_000]) {
        const bytes = text.subarray(0, length);
        const packed = await brotliCompressor.compress(bytes, quality);
        assert.deepEqual(await brotliDecompressor.decompress(packed, length), bytes);
      }
    }
  });

  it('expands to many pieces', async () => {
    const packed = await brotliCompressor.compress(text, 4);
    assert.ok(packed.length < text.length / 100);
    assert.deepEqual(await brotliDecompressor.decompress(packed, text.length), text);
  });

  it('rejects output beyond the limit', async () => {
    const packed = await brotliCompressor.compress(text, 4);
    await assert.rejects(brotliDecompressor.decompress(packed, text.length - 1));
    await assert.rejects(brotliDecompressor.decompress(packed, 0));
  });

  it('rejects truncated, damaged and empty data', async () => {
    const packed = Buffer.from(await brotliCompressor.compress(text, 4));
    await assert.rejects(brotliDecompressor.decompress(packed.subarray(0, -1), text.length));
    await assert.rejects(brotliDecompressor.decompress(Buffer.alloc(10, 0xff), 10));
    await assert.rejects(brotliDecompressor.decompress(Buffer.alloc(0), 10));
  });

  it('does not block the calling thread', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    try {
      await brotliCompressor.compress(text, 11);
    } finally {
      clearInterval(ticking);
    }
    assert.ok(turns > 1, `${turns} turns`);
  });
});
