import assert from 'node:assert/strict';
import { ByteReader, ByteWriter } from '../../../src/base/bytes.ts';

describe('byte cursors', () => {
  it('write and read back little-endian values, growing as needed', () => {
    const writer = new ByteWriter(1);
    writer
      .u8(1)
      .u16(0x0203)
      .u32(0x04050607)
      .u64(0x08090a0b0c0d0e0fn)
      .bytes(new Uint8Array(3000).fill(7))
      .zeros(2);
    const bytes = writer.toBytes();
    assert.equal(
      Buffer.from(bytes.subarray(0, 15)).toString('hex'),
      '010302070605040f0e0d0c0b0a0908',
    );
    const reader = new ByteReader(bytes);
    assert.deepEqual([reader.u8(), reader.u16(), reader.u32()], [1, 0x0203, 0x04050607]);
    assert.equal(reader.u64(), 0x08090a0b0c0d0e0fn);
    assert.deepEqual(reader.bytes(3000), new Uint8Array(3000).fill(7));
    assert.equal(reader.remaining, 2);
  });

  it('return undefined at the end and keep their position', () => {
    const reader = new ByteReader(new Uint8Array([1, 2, 3]));
    assert.equal(reader.u32(), undefined);
    assert.equal(reader.u64(), undefined);
    assert.equal(reader.bytes(4), undefined);
    assert.equal(reader.u16(), 0x0201);
    assert.equal(reader.position, 2);
  });
});
