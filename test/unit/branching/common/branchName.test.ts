import assert from 'node:assert/strict';
import {
  checkBranchName,
  freeName,
  referenceName,
  suggestedName,
} from '../../../../src/branching/common/branchName.ts';

describe('the name of a branch', () => {
  it('is made from the message, or else from the snapshot’s label', () => {
    assert.equal(
      suggestedName('Use a queue, not a lock!  And more words', 'x'),
      'use-a-queue-not-a',
    );
    assert.equal(suggestedName(undefined, 'Edit src/a.ts'), 'edit-src-a-ts');
    assert.equal(suggestedName('Größe prüfen', ''), 'größe-prüfen');
    assert.equal(suggestedName('!!!', ''), 'branch');
  });

  it('gets a number when it is taken', () => {
    assert.equal(
      freeName('a', () => false),
      'a',
    );
    const taken = new Set(['a', 'a-2']);
    assert.equal(
      freeName('a', (name) => taken.has(name)),
      'a-3',
    );
  });

  it('is refused if no folder can have it', () => {
    for (const name of ['', '  ', 'a/b', '..', 'a\nb', '\\', 'x'.repeat(81)]) {
      assert.throws(() => checkBranchName(name), { code: 'bad-argument' }, JSON.stringify(name));
    }
    assert.equal(checkBranchName(' ein Zweig ü '), 'ein Zweig ü');
  });

  it('becomes a reference of plain characters', () => {
    assert.equal(referenceName('näme 2 / x'), 'na-me-2-x');
    assert.equal(referenceName('日本'), 'branch');
  });
});
