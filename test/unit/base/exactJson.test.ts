import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  parseExactJson,
  stringifyExactJson,
  type ExactValue,
} from '../../../src/base/exactJson.ts';

describe('exact JSON', () => {
  it('keeps all digits of nanosecond times', () => {
    const line = '{"id":45,"ts_ns":1710000000001000001,"label":"post-tool"}';
    const value = parseExactJson(line) as Record<string, ExactValue>;
    assert.equal(value['ts_ns'], 1710000000001000001n);
    assert.equal(value['id'], 45);
    assert.equal(stringifyExactJson(value), line);
  });

  it('keeps digits in strings, and strings that look like its own marks', () => {
    for (const text of [
      '1710000000001000001',
      '\u0000n12',
      '\\u0000',
      'a\u0000s',
      '"12345678901234567890"',
    ]) {
      assert.equal(parseExactJson(JSON.stringify(text)), text);
    }
  });

  it('restores all JSON values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
        const clean = JSON.parse(JSON.stringify(value), withoutLargeIntegers) as ExactValue;
        assert.deepEqual(parseExactJson(stringifyExactJson(clean)), clean);
      }),
    );
  });

  it('restores large integers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }), (value) => {
        assert.deepEqual(parseExactJson(stringifyExactJson({ value, list: [-value] })), {
          value,
          list: [-value],
        });
      }),
    );
  });

  it('rejects invalid JSON', () => {
    for (const text of ['', '{', '{"a":01}', '[1,]', '\u0000'])
      assert.throws(() => parseExactJson(text));
  });
});

/** Without integers beyond 2^53, which are restored as `bigint` and have their own test. */
function withoutLargeIntegers(_key: string, value: unknown): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value;
}
