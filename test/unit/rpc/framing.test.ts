import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeFrame, FrameDecoder, MAX_FRAME_BYTES } from '../../../src/rpc/framing.ts';

const frames = fc.array(
  fc.record({
    json: fc.jsonValue(),
    binary: fc.option(fc.uint8Array({ minLength: 1, maxLength: 300 }), { nil: undefined }),
  }),
  { maxLength: 8 },
);

describe('frames on a byte stream', () => {
  it('are decoded wherever the stream is split', () => {
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 50 }), (messages, step) => {
        const stream = Buffer.concat(
          messages.flatMap(({ json, binary }) => encodeFrame(json, binary)),
        );
        const decoder = new FrameDecoder();
        const received = [];
        for (let at = 0; at < stream.length; at += step)
          received.push(...decoder.push(stream.subarray(at, at + step)));
        const plain = received.map(({ json, binary }) => ({
          json,
          binary: binary && Buffer.from(binary),
        }));
        const expected = messages.map(({ json, binary }) => ({
          json: JSON.parse(JSON.stringify(json)) as unknown,
          binary: binary && Buffer.from(binary),
        }));
        assert.deepEqual(plain, expected);
      }),
    );
  });

  it('are rejected if they claim too much, too little, or are not JSON', () => {
    const refuse = (hex: string) =>
      assert.throws(() => new FrameDecoder().push(Buffer.from(hex, 'hex')), { code: 'bad-frame' });
    const tooLong = Buffer.alloc(4);
    tooLong.writeUInt32LE(MAX_FRAME_BYTES + 1);
    refuse(tooLong.toString('hex'));
    refuse('03000000' + '000000');
    refuse('05000000' + '02000000' + '7b');
    refuse('05000000' + '01000000' + '7b');
    refuse('05000000' + '01000000' + 'ff');
  });

  it('fail with an error or wait for more, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          new FrameDecoder().push(bytes);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'bad-frame');
        }
      }),
    );
  });
});
