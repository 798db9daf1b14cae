import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EscapeFilter, isQuery } from '../../../../src/terminal/screen/escapeFilter.ts';

function filtered(
  text: string,
  isUnwanted: (sequence: string) => boolean,
  step = text.length,
): string {
  const filter = new EscapeFilter(isUnwanted);
  const bytes = Buffer.from(text, 'latin1');
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += step)
    parts.push(filter.push(bytes.subarray(at, at + step)));
  parts.push(filter.flush());
  return Buffer.concat(parts).toString('latin1');
}

describe('escape filters', () => {
  it('remove queries, and nothing else', () => {
    const questions = [
      '\x1b[c',
      '\x1b[0c',
      '\x1b[>c',
      '\x1b[=c',
      '\x1b[5n',
      '\x1b[6n',
      '\x1b[?6n',
      '\x1b[?2026$p',
      '\x1b[4$p',
      ,
      '\x1b[>q',
      '\x1b[>0q',
      '\x1b[?u',
      '\x1b[14t',
      '\x1b[18t',
      '\x1b]11;?\x07',
      '\x1b]10;?\x1b\\',
      '\x1b]4;5;?\x07',
      '\x1b]4;0;?;4;?\x07',
      '\x1b]10;?;?\x07',
      ,
      '\x1bP$qm\x1b\\',
      '\x1bP+q544e\x1b\\',
      '\x1bZ',
    ];
    const others = [
      '\x1b[2J',
      '\x1b[?25h',
      '\x1b[1;1H',
      '\x1b]11;#000\x07',
      '\x1b[>1u',
      '\x1b[8;4;5t',
      '\x1b[0 q',
      '\x1bM',
      '\x1b7',
    ];
    assert.equal(filtered(questions.join('x'), isQuery), 'x'.repeat(questions.length - 1));
    assert.equal(filtered(others.join('x'), isQuery), others.join('x'));
  });

  it('do the same wherever the stream is split', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'text',
        '\x1b',
        '\x1b[6n',
        '\x1b[31m',
        '\x1b]11;?\x07',
        '\x1bP+q5\x1b\\',
        '\x1b[',
        '\x9c',
        '\x1b]0;x',
      ),
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 9 }), (parts, step) => {
        const text = parts.join('');
        assert.equal(filtered(text, isQuery, step), filtered(text, isQuery));
      }),
    );
  });

  it('pass everything on when nothing is unwanted, endless sequences included', () => {
    const text = `\x1b[${'0'.repeat(300_000)}m\x1b]${'x'.repeat(10_000)}`;
    assert.equal(
      filtered(text, () => false),
      text,
    );
  });
});
