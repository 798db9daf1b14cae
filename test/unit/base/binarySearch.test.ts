import assert from 'node:assert/strict';
import { countWhile, firstIndexWhere } from '../../../src/base/binarySearch.ts';

describe('binary search', () => {
  it('counts the items before the first that is not included', () => {
    for (let length = 0; length < 20; length++) {
      const items = Array.from({ length }, (_, index) => index);
      for (let limit = 0; limit <= length; limit++) {
        assert.equal(
          countWhile(items, (item) => item < limit),
          limit,
        );
      }
    }
  });

  it('reads only the first `length` items', () => {
    assert.equal(
      countWhile([1, 2, 0, 0], () => true, 2),
      2,
    );
  });

  it('finds indexes that start above 0 or exceed 32 bits', () => {
    const start = 2 ** 40;
    assert.equal(
      firstIndexWhere(start, start + 100, (index) => index >= start + 37),
      start + 37,
    );
    assert.equal(
      firstIndexWhere(3, 9, () => false),
      9,
    );
  });
});
