import assert from 'node:assert/strict';
import { runAll } from '../src/pool.js';

const numbers = [0, 1, 2, 3, 4, 5];

export const tests = {
  async 'returns every result'(slow) {
    const results = await runAll(numbers.map(slow), 3);
    assert.equal(results.length, numbers.length);
  },

  async 'keeps the order of the tasks'(slow) {
    const results = await runAll(numbers.map(slow), 3);
    assert.deepEqual(results, numbers);
  },

  async 'takes an empty list'() {
    assert.deepEqual(await runAll([], 3), []);
  },
};
