import assert from 'node:assert/strict';
import { withBothSides } from '../../../../src/cli/recordings/snapshotPatch.ts';

describe('withBothSides', () => {
  it('names both sides of an added and a deleted file', () => {
    const patch = [
      'diff --git after/a b after/a b\n',
      'diff --git "after/\\303\\244" "after/\\303\\244"\n',
      'diff --git before/c before/c\n',
      'diff --git before/d after/d\n+diff --git after/e after/e\n',
    ];
    assert.equal(
      withBothSides(patch.join('')),
      [
        'diff --git before/a b after/a b\n',
        'diff --git "before/\\303\\244" "after/\\303\\244"\n',
        'diff --git before/c after/c\n',
        'diff --git before/d after/d\n+diff --git after/e after/e\n',
      ].join(''),
    );
  });
});
