import assert from 'node:assert/strict';
import { warningRows } from '../../../src/extension/warningRows.ts';

describe('warningRows', () => {
  it('returns one row with an icon for a short warning', () => {
    assert.deepEqual(warningRows('Some files are not brought along.'), [
      { label: '$(warning) Some files are not brought along.' },
    ]);
  });

  it('wraps a long warning into rows, without losing words', () => {
    const words = Array.from({ length: 30 }, (_, number) => `word${number}`).join(' ');
    const rows = warningRows(words);
    assert.deepEqual(
      rows.map(({ label }) => /^\$\((\w+)\) /.exec(label)![1]),
      ['warning', 'blank', 'blank'],
    );
    const lines = rows.map(({ label }) => label.replace(/^\S+ /, ''));
    assert.equal(lines.join(' '), words);
    for (const line of lines) assert.ok(line.length <= 74, line);
  });

  it('limits the length, and keeps characters whole', () => {
    assert.ok(warningRows('much of it '.repeat(1000)).length < 12);
    const [first, second] = warningRows('a'.repeat(73) + '😀😀');
    assert.ok(first!.label.endsWith('a😀'));
    assert.equal(second!.label, '$(blank) 😀');
  });

  it('splits words longer than a line, and escapes icon syntax', () => {
    assert.deepEqual(warningRows(`${'a'.repeat(100)} $(date)`), [
      { label: `$(warning) ${'a'.repeat(74)}` },
      { label: `$(blank) ${'a'.repeat(26)} \\$(date)` },
    ]);
  });
});
