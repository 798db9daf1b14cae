import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EndMarker } from '../../../../src/host/pty/endMarker.ts';

describe('the end marker', () => {
  it('is found however the stream is split, and cuts off the stream', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.integer({ min: 1, max: 40 }),
        (before, after, step) => {
          const marker = new EndMarker();
          const stream = Buffer.concat([Buffer.from(before), marker.bytes, Buffer.from(after)]);
          const passed: Uint8Array[] = [];
          for (let at = 0; at < stream.length; at += step)
            passed.push(Buffer.from(marker.push(stream.subarray(at, at + step))));
          assert.ok(marker.isFound);
          assert.equal(Buffer.concat(passed).toString(), Buffer.from(before).toString());
        },
      ),
    );
  });

  it('returns the held bytes if it never arrives', () => {
    const marker = new EndMarker();
    const text = Buffer.from('last words [[12');
    const passed = Buffer.from(marker.push(text));
    assert.equal(Buffer.concat([passed, marker.release()]).toString(), text.toString());
  });

  it('leaves out a part of itself if only that was written', () => {
    const marker = new EndMarker();
    marker.writtenBytes = 5;
    const passed = Buffer.from(
      marker.push(Buffer.concat([Buffer.from('bye'), marker.bytes.subarray(0, 5)])),
    );
    assert.equal(Buffer.concat([passed, marker.release()]).toString(), 'bye');
  });
});
