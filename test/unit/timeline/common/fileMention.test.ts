import assert from 'node:assert/strict';
import { matchFiles, mentionAt } from '../../../../src/timeline/common/fileMention.ts';

describe('files in an instruction', () => {
  it('are mentioned after an @ at the start of a word, up to the caret', () => {
    assert.deepEqual(mentionAt('@', 1), { at: 0, text: '' });
    assert.deepEqual(mentionAt('fix @src/po and', 11), { at: 4, text: 'src/po' });
    assert.deepEqual(mentionAt('line\n@po', 8), { at: 5, text: 'po' });
    for (const text of ['', 'fix', 'me@home', '@pool.ts ', '@@']) {
      assert.equal(mentionAt(text, text.length), undefined, text);
    }
  });

  it('are found by the start of the name, its parts, the path, and its letters in order', () => {
    const files = [
      'src/lib/pool.ts',
      'src/spool.ts',
      'pool/index.ts',
      'src/p/o/o/l.ts',
      'README.md',
    ];
    assert.deepEqual(matchFiles(files, 'POOL', 8), [
      'src/lib/pool.ts',
      'src/spool.ts',
      'pool/index.ts',
      'src/p/o/o/l.ts',
    ]);
    assert.deepEqual(matchFiles(files, 'slp', 8), ['src/lib/pool.ts']);
    assert.deepEqual(matchFiles(files, 'nothing', 8), []);
    const many = Array.from({ length: 5000 }, (_, index) => `src/file${index}.ts`);
    assert.equal(matchFiles(many, '', 8).length, 8);
    assert.equal(matchFiles(many, 'file7', 8)[0], 'src/file7.ts');
  });
});
