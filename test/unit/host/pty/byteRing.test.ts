import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { ByteRing, makeSharedRing } from '../../../../src/host/pty/byteRing.ts';

describe('the ring between two threads', () => {
  it('returns what was written, also around its end', () => {
    const { writer, reader } = makeRing(8);
    const written: Buffer[] = [];
    const read: Buffer[] = [];
    for (let turn = 0; turn < 2000; turn++) {
      const chunk = randomBytes(randomInt(writer.free + 1));
      writer.write(chunk);
      written.push(chunk);
      for (let left = randomInt(300); left > 0;) {
        const piece = reader.peek().subarray(0, left);
        if (piece.length === 0) break;
        read.push(Buffer.from(piece));
        reader.release(piece.length);
        left -= piece.length;
      }
    }
    for (let piece = reader.peek(); piece.length > 0; piece = reader.peek()) {
      read.push(Buffer.from(piece));
      reader.release(piece.length);
    }
    assert.ok(Buffer.concat(read).equals(Buffer.concat(written)));
  });

  it('works when its counters overflow', () => {
    const shared = makeSharedRing(4);
    const counters = new Int32Array(shared.counters);
    counters.fill(2 ** 31 - 16, 0, 2);
    const ring = new ByteRing(shared);
    ring.write(Buffer.from('sixteen bytes ab'));
    assert.equal(ring.free, 0);
    assert.equal(Buffer.from(ring.peek()).toString(), 'sixteen bytes ab');
    ring.release(16);
    ring.write(Buffer.from('and on'));
    assert.equal(Buffer.from(ring.peek()).toString(), 'and on');
  });

  it('wakes its reader once, and only if it waits', () => {
    const { writer, reader } = makeRing(8);
    assert.equal(writer.write(Buffer.from('a')), false);
    assert.equal(reader.sleep(), false);
    reader.release(1);
    assert.equal(reader.sleep(), true);
    assert.equal(writer.write(Buffer.from('b')), true);
    assert.equal(writer.write(Buffer.from('c')), false);
  });

  it('wakes its writer once, and only if it waits', () => {
    const { writer, reader } = makeRing(8);
    writer.write(Buffer.alloc(200));
    assert.equal(writer.stall(56), false);
    assert.equal(reader.release(10), false);
    assert.equal(writer.stall(100), true);
    assert.equal(reader.release(10), true);
    assert.equal(reader.release(10), false);
  });
});

function makeRing(power: number): { writer: ByteRing; reader: ByteRing } {
  const shared = makeSharedRing(power);
  return { writer: new ByteRing(shared), reader: new ByteRing(shared) };
}
