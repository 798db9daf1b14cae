import assert from 'node:assert/strict';
import {
  decodeHeader,
  encodeBlock,
  HEADER_LENGTH,
  MAX_BLOCKS,
  MAX_DATA_BYTES,
  MAX_LABEL_BYTES,
  MAX_PAYLOAD_LENGTH,
  MAX_SEGMENT_LENGTH,
} from '../../../../src/recording/format/format.ts';

const facts = {
  startTsNs: 0xfedc_ba98_7654_3210n,
  startByteOffset: Number.MAX_SAFE_INTEGER,
  uncompressedLength: 0xffffffff,
  recordCount: 0x80000001,
  isLast: true,
};

describe('limits of the format', () => {
  it('are those of the specification', () => {
    const mebibyte = 1024 * 1024;
    assert.equal(MAX_SEGMENT_LENGTH, 16 * mebibyte);
    assert.equal(MAX_PAYLOAD_LENGTH, 16 * mebibyte + 65_536);
    assert.equal(MAX_DATA_BYTES, 16 * mebibyte - 24);
    assert.equal(MAX_LABEL_BYTES, 65_535);
    assert.equal(MAX_BLOCKS, 2_000_000);
  });
});

describe('block header', () => {
  it('is restored at the limits of its fields', () => {
    const block = encodeBlock(facts, Uint8Array.of(1, 2, 3));
    assert.equal(block.length, HEADER_LENGTH + 3);
    assert.deepEqual(decodeHeader(block), {
      headerLength: 44,
      startTsNs: facts.startTsNs,
      startByteOffset: BigInt(facts.startByteOffset),
      uncompressedLength: facts.uncompressedLength,
      compressedLength: 3,
      recordCount: facts.recordCount,
      flags: 1,
      isReservedZero: true,
    });
  });

  it('is incomplete at every length below its own', () => {
    const block = encodeBlock(facts, new Uint8Array(0));
    for (let length = 0; length < HEADER_LENGTH; length++) {
      assert.equal(decodeHeader(block.subarray(0, length)), 'short', `${length} bytes`);
    }
  });

  it('is rejected with the right fault', () => {
    const fault = (at: number, byte: number): unknown => {
      const block = encodeBlock(facts, new Uint8Array(0));
      block[at] = byte;
      return decodeHeader(block);
    };
    for (const at of [0, 1, 2, 3]) assert.equal(fault(at, 0), 'badMagic');
    assert.equal(fault(4, 2), 'badVersion');
    assert.equal(fault(4, 0), 'badVersion');
    assert.equal(fault(6, 43), 'badLengths');
  });

  it('reports used reserved bytes', () => {
    const block = encodeBlock(facts, new Uint8Array(0));
    block[HEADER_LENGTH - 1] = 1;
    const header = decodeHeader(block);
    assert.ok(typeof header !== 'string' && !header.isReservedZero);
  });

  it('may have reserved bytes before and behind its flags', () => {
    const block = encodeBlock({ ...facts, isLast: false }, Uint8Array.of(9));
    const at = (place: number): unknown => {
      const changed = Uint8Array.from(block);
      changed[place] = 1;
      const header = decodeHeader(changed);
      return typeof header !== 'string' && [header.flags, header.isReservedZero];
    };
    assert.deepEqual(at(36), [1, true], 'the flags are not reserved');
    assert.deepEqual(at(37), [0, false], 'the first reserved byte');
    assert.deepEqual(at(44), [0, true], 'the payload is not reserved');
  });

  it('is checked as far as its magic number and version are present', () => {
    const block = encodeBlock(facts, new Uint8Array(0));
    block[4] = 2;
    assert.equal(decodeHeader(block.subarray(0, 5)), 'short');
    assert.equal(decodeHeader(block.subarray(0, 6)), 'badVersion');
    block[3] = 0;
    assert.equal(decodeHeader(block.subarray(0, 3)), 'short');
    assert.equal(decodeHeader(block.subarray(0, 4)), 'badMagic');
  });

  it('may be part of a larger buffer', () => {
    const block = encodeBlock(facts, new Uint8Array(0));
    const larger = Buffer.concat([Buffer.alloc(5, 0xee), block, Buffer.alloc(5, 0xee)]);
    assert.deepEqual(decodeHeader(larger.subarray(5)), decodeHeader(block));
  });
});
