import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decodeSnapshotNotice,
  encodeSnapshotReply,
} from '../../../../src/snapshots/common/snapshotNotice.ts';
import {
  decodeSnapshotReply,
  encodeSnapshotNotice,
} from '../../../mockAgent/ipc/snapshotNotice.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('snapshot notices', () => {
  it('have the bytes of the reference implementation', () => {
    const request = encodeSnapshotNotice(0x2dn, 'hi');
    assert.equal(
      Buffer.from(request).toString('hex'),
      '0f000000' + '00' + '2d00000000000000' + '0c000000' + '6869',
    );
    const answer = encodeSnapshotReply({ ok: true, snapshotId: 1n, anchorByte: 2n, tsNs: 3n });
    const fields = ['01', '02', '03'].map((digit) => `${digit}00000000000000`).join('');
    assert.equal(Buffer.from(answer).toString('hex'), `1900000000${fields}`);
    const error = encodeSnapshotReply({ ok: false, error: 'no' });
    assert.equal(Buffer.from(error).toString('hex'), '03000000' + '01' + '6e6f');
  });

  it('survive encoding and decoding by an independent client', () => {
    fc.assert(
      fc.property(
        u64,
        u64,
        u64,
        fc.string({ unit: 'grapheme' }),
        (snapshotId, anchorByte, tsNs, label) => {
          assert.deepEqual(
            decodeSnapshotNotice(encodeSnapshotNotice(snapshotId, label).subarray(4)),
            { snapshotId, label },
          );
          const ok = encodeSnapshotReply({ ok: true, snapshotId, anchorByte, tsNs });
          assert.deepEqual(decodeSnapshotReply(ok), { ok: true, id: snapshotId, anchorByte, tsNs });
          const failed = { ok: false as const, error: label };
          assert.deepEqual(decodeSnapshotReply(encodeSnapshotReply(failed)), failed);
        },
      ),
    );
  });

  it('with a wrong offset or an invalid label are refused', () => {
    const request = encodeSnapshotNotice(7n, 'a').subarray(4);
    const offsetAt = 1 + 8;
    const misplaced = Uint8Array.from(request);
    misplaced[offsetAt] = 13;
    assert.equal(decodeSnapshotNotice(misplaced), "The label's offset is 13, expected 12.");
    const garbled = Uint8Array.from(request);
    garbled[garbled.length - 1] = 0xff;
    assert.equal(decodeSnapshotNotice(garbled), 'The label is not valid UTF-8.');
  });

  it('of any other form are reported, never thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const request = decodeSnapshotNotice(bytes);
        assert.ok(
          typeof request === 'string' ? request.length > 0 : typeof request.snapshotId === 'bigint',
        );
      }),
    );
  });
});
