import assert from 'node:assert/strict';
import { warningRows } from '../../../src/extension/warningRows.ts';

describe('a warning in a picker', () => {
  it('is one row with a sign when it is short', () => {
    assert.deepEqual(warningRows('Some files are not brought along.'), [
      { label: '$(warning) Some files are not brought along.' },
    ]);
  });

  it('goes on in rows of their own, to its last word', () => {
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

  it('ends somewhere, and breaks no character', () => {
    assert.ok(warningRows('much of it '.repeat(1000)).length < 12);
    const [first, second] = warningRows('a'.repeat(73) + '😀😀');
    assert.ok(first!.label.endsWith('a😀'));
    assert.equal(second!.label, '$(blank) 😀');
  });

  it('breaks what is longer than a line, and shows no icons of others', () => {
    assert.deepEqual(warningRows(`${'a'.repeat(100)} $(date)`), [
      { label: `$(warning) ${'a'.repeat(74)}` },
      { label: `$(blank) ${'a'.repeat(26)} \\$(date)` },
    ]);
  });
});
