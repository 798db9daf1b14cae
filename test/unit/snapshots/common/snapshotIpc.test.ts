import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decodeSnapshotRequest,
  decodeSnapshotResponse,
  encodeSnapshotRequest,
  encodeSnapshotResponse,
} from '../../../../src/snapshots/common/snapshotIpc.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('snapshot messages', () => {
  it('have the bytes of the reference', () => {
    const request = encodeSnapshotRequest({ snapshotId: 0x2dn, label: 'hi' });
    assert.equal(
      Buffer.from(request).toString('hex'),
      '0f000000' + '00' + '2d00000000000000' + '0c000000' + '6869',
    );
    const answer = encodeSnapshotResponse({ ok: true, snapshotId: 1n, anchorByte: 2n, tsNs: 3n });
    const fields = ['01', '02', '03'].map((digit) => `${digit}00000000000000`).join('');
    assert.equal(Buffer.from(answer).toString('hex'), `1900000000${fields}`);
    const error = encodeSnapshotResponse({ ok: false, error: 'no' });
    assert.equal(Buffer.from(error).toString('hex'), '03000000' + '01' + '6e6f');
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(
        u64,
        u64,
        u64,
        fc.string({ unit: 'grapheme' }),
        (snapshotId, anchorByte, tsNs, label) => {
          assert.deepEqual(
            decodeSnapshotRequest(encodeSnapshotRequest({ snapshotId, label }).subarray(4)),
            { snapshotId, label },
          );
          const ok = { ok: true as const, snapshotId, anchorByte, tsNs };
          assert.deepEqual(decodeSnapshotResponse(encodeSnapshotResponse(ok).subarray(4)), ok);
          const failed = { ok: false as const, error: label };
          assert.deepEqual(
            decodeSnapshotResponse(encodeSnapshotResponse(failed).subarray(4)),
            failed,
          );
        },
      ),
    );
  });

  it('that are anything else are named, never thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const request = decodeSnapshotRequest(bytes);
        assert.ok(
          typeof request === 'string' ? request.length > 0 : typeof request.snapshotId === 'bigint',
        );
        decodeSnapshotResponse(bytes);
      }),
    );
  });
});
