import assert from 'node:assert/strict';
import {
  ReviewSelection,
  type ReviewFile,
} from '../../../../src/extension/review/reviewSelection.ts';

const file = (path: string, more: Partial<ReviewFile> = {}): ReviewFile => ({
  path,
  kind: 'change',
  how: 'replace',
  ...more,
});

describe('the selection of a review', () => {
  it('starts with all that can be applied', () => {
    const selection = new ReviewSelection([
      file('a'),
      file('b', { how: 'merge' }),
      file('c', { how: 'conflict' }),
      file('d', { how: 'left-out' }),
    ]);
    assert.deepEqual([...selection.checked], ['a', 'b']);
    assert.equal(selection.total, 2);
  });

  it('takes single changes out and back in, but never a conflict', () => {
    const [a, b] = [file('a'), file('b')];
    const c = file('c', { how: 'conflict' });
    const selection = new ReviewSelection([a, b, c]);
    selection.set(a, false);
    assert.deepEqual([...selection.checked], ['b']);
    selection.set(a, true);
    selection.set(c, true);
    assert.deepEqual([...selection.checked].sort(), ['a', 'b']);
  });

  it('keeps a file together with the folder that it replaces', () => {
    const created = file('lib', { kind: 'create' });
    const deleted = file('lib/x', { kind: 'delete' });
    const other = file('library');
    const selection = new ReviewSelection([created, deleted, other]);
    selection.set(deleted, false);
    assert.deepEqual([...selection.checked], ['library']);
    selection.set(created, true);
    assert.deepEqual([...selection.checked].sort(), ['lib', 'lib/x', 'library']);
  });

  it('keeps all files of a folder together that replaces a file', () => {
    const deleted = file('a', { kind: 'delete' });
    const [b, c] = [file('a/b', { kind: 'create' }), file('a/c', { kind: 'create' })];
    const selection = new ReviewSelection([deleted, b, c, file('d')]);
    selection.set(b, false);
    assert.deepEqual([...selection.checked], ['d']);
    selection.set(c, true);
    assert.deepEqual([...selection.checked].sort(), ['a', 'a/b', 'a/c', 'd']);
  });

  it('separates the permissions of a folder from its files', () => {
    const folder = file('src', { isFolder: true });
    const inside = file('src/a');
    const selection = new ReviewSelection([folder, inside]);
    selection.set(folder, false);
    assert.deepEqual([...selection.checked], ['src/a']);
  });
});
