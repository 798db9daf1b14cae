import assert from 'node:assert/strict';
import { parseTextBundle } from '../../../src/base/textBundle.ts';

describe('parseTextBundle', () => {
  it('keeps only the entries that are strings', () => {
    const value = { a: 'b', c: 1, d: null, e: { message: 'f' } };
    assert.deepEqual(parseTextBundle(value), { a: 'b' });
  });

  it('returns an empty bundle for anything but an object', () => {
    for (const value of [undefined, null, 'a', 7]) assert.deepEqual(parseTextBundle(value), {});
  });
});
