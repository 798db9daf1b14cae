import assert from 'node:assert/strict';
import { lastFirst } from '../../../../src/extension/terminals/lastFirst.ts';

describe('a list of choices', () => {
  it('begins with the last one', () => {
    const isLast = (each: string) => each === 'web';
    assert.deepEqual(lastFirst(['api', 'web', 'docs'], isLast), ['web', 'api', 'docs']);
    assert.deepEqual(lastFirst(['api', 'docs'], isLast), ['api', 'docs']);
  });
});
