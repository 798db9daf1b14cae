import assert from 'node:assert/strict';
import { checkMessage } from '../../../../src/branching/common/branchMessage.ts';
import { freeName } from '../../../../src/branching/common/branchName.ts';

describe('the first message of a branch', () => {
  it('is trimmed, and none where it is empty', () => {
    assert.equal(checkMessage(' go on \n'), 'go on');
    assert.equal(checkMessage(' \n'), undefined);
    assert.equal(checkMessage(undefined), undefined);
  });

  it('is refused where no program can be told it', () => {
    assert.throws(() => checkMessage('ü'.repeat(32 * 1024 + 1)), { code: 'message-too-long' });
    assert.equal(checkMessage('ü'.repeat(32 * 1024))?.length, 32 * 1024);
    assert.throws(() => checkMessage('a\0b'), { code: 'bad-argument' });
  });
});

describe('the name of a branch', () => {
  it('is the wanted one, or the first with a number that is free', () => {
    assert.equal(
      freeName('fix', () => false),
      'fix',
    );
    const taken = new Set(['fix', 'fix-2']);
    assert.equal(
      freeName('fix', (name) => taken.has(name)),
      'fix-3',
    );
  });
});
