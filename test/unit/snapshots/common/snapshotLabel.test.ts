import assert from 'node:assert/strict';
import {
  changedFilesLabel,
  commandLabel,
  snapshotLabel,
} from '../../../../src/snapshots/common/snapshotLabel.ts';

describe('the labels of snapshots', () => {
  it('name a command, shortened, if the shell sent it', () => {
    assert.equal(commandLabel('npm test'), 'After `npm test`');
    assert.equal(commandLabel('cat <<E\nhello\nE'), 'After `cat <<E hello E`');
    assert.equal(commandLabel(`echo ${'a'.repeat(500)}`), `After \`echo ${'a'.repeat(94)}…\``);
    assert.equal(commandLabel(undefined), 'After a command');
  });

  it('name the first files that changed', () => {
    assert.equal(changedFilesLabel(['a.ts']), '1 file changed: a.ts');
    assert.equal(changedFilesLabel(['a\x1b]52;c;eA==\x07b\x9b6n']), '1 file changed: ab 6n');
    assert.equal(changedFilesLabel(['a', 'b', 'c']), '3 files changed: a, b, c');
    assert.equal(changedFilesLabel(['a', 'b', 'c', 'd']), '4 files changed: a, b, c, …');
  });

  it('are one line without hidden characters', () => {
    assert.equal(snapshotLabel(' a\n\x1b[31mb\u202e '), 'a b');
    assert.equal(snapshotLabel('x'.repeat(300)).length, 200);
  });
});
