import assert from 'node:assert/strict';
import {
  decodeSnapshotReply,
  encodeSnapshotNotice,
} from '../../../mockAgent/ipc/snapshotNotice.ts';

const hex = (text: string): Uint8Array => Buffer.from(text.replace(/\s/g, ''), 'hex');

describe('mock agent: snapshot notice', () => {
  it('has a length, a selector, the ID, an offset and the label', () => {
    assert.deepEqual(
      Buffer.from(encodeSnapshotNotice(0x0102n, 'hé')),
      hex('10000000 00 0201000000000000 0c000000 68c3a9'),
    );
  });

  it('may have no label', () => {
    assert.deepEqual(
      Buffer.from(encodeSnapshotNotice(2n ** 64n - 1n, '')),
      hex('0d000000 00 ffffffffffffffff 0c000000'),
    );
  });

  it('gets a success or an error back', () => {
    const success = hex('19000000 00 0700000000000000 e803000000000000 0100000000000080');
    assert.deepEqual(decodeSnapshotReply(success), {
      ok: true,
      id: 7n,
      anchorByte: 1000n,
      tsNs: 0x8000000000000001n,
    });
    const failure = hex('03000000 01 6e6f');
    assert.deepEqual(decodeSnapshotReply(failure), { ok: false, error: 'no' });
  });

  it('waits for the complete answer, and rejects invalid ones', () => {
    const success = hex('19000000 00 0700000000000000 e803000000000000 0100000000000080');
    for (let length = 0; length < success.length; length++) {
      assert.equal(decodeSnapshotReply(success.subarray(0, length)), undefined);
    }
    assert.equal(decodeSnapshotReply(hex('02000000 0000'))?.ok, false);
    assert.equal(decodeSnapshotReply(hex('01000000 09'))?.ok, false);
  });
});
