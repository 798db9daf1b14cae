import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffLines, hunks } from '../../../mockAgent/terminal/lineDiff.ts';

const signs = { same: ' ', removed: '-', added: '+' };
const shown = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, number, text }) => `${signs[kind]}${number}${text}`);

describe('mock agent: line diff', () => {
  it('shows removed lines before those that replace them', () => {
    assert.deepEqual(shown('a\nb\nc\n', 'a\nX\nc\n'), [' 1a', '-2b', '+2X', ' 3c']);
  });

  it('has nothing to show for equal texts', () => {
    assert.deepEqual(hunks(diffLines('a\nb\n', 'a\nb\n'), 2), []);
  });

  it('groups changes that are far apart', () => {
    const before = 'a\nb\nc\nd\ne\nf\n';
    const groups = hunks(diffLines(before, 'A\nb\nc\nd\ne\nF\n'), 1);
    assert.deepEqual(
      groups.map((group) => group.map(({ text }) => text).join('')),
      ['aAb', 'efF'],
    );
  });

  it('rebuilds both texts from its lines', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before.join('\n'), after.join('\n'));
        const side = (without: string): string[] =>
          diff.filter(({ kind }) => kind !== without).map(({ text }) => text);
        assert.deepEqual(side('added'), before);
        assert.deepEqual(side('removed'), after);
      }),
    );
  });
});
