import assert from 'node:assert/strict';
import { checkMessage } from '../../../../src/branching/common/branchMessage.ts';

describe('the first message of a branch', () => {
  it('is trimmed, and undefined if empty', () => {
    assert.equal(checkMessage(' go on \n'), 'go on');
    assert.equal(checkMessage(' \n'), undefined);
    assert.equal(checkMessage(undefined), undefined);
  });

  it('is refused if it can’t be passed to a program', () => {
    assert.throws(() => checkMessage('ü'.repeat(32 * 1024 + 1)), { code: 'message-too-long' });
    assert.equal(checkMessage('ü'.repeat(32 * 1024))?.length, 32 * 1024);
    assert.throws(() => checkMessage('a\0b'), { code: 'bad-argument' });
  });
});
