import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteMatcher, VisibleBytes } from '../../../../src/scrub/common/byteMatcher.ts';

/** Offsets of every match, when byte `index` of `text` has the offset `index * 10`. */
function matches(needle: string, text: string): number[][] {
  const matcher = new ByteMatcher(Buffer.from(needle));
  return [...Buffer.from(text)]
    .map((byte, index) => matcher.push(byte, index * 10))
    .filter((match) => match !== undefined)
    .map((match) => [...match].sort((a, b) => a - b));
}

describe('ByteMatcher', () => {
  it('finds the same as a search at every position, including overlaps', () => {
    // With only two letters, needles often overlap themselves.
    const text = (minLength: number, maxLength: number) =>
      fc
        .array(fc.constantFrom('a', 'b'), { minLength, maxLength })
        .map((letters) => letters.join(''));
    fc.assert(
      fc.property(text(1, 6), text(0, 40), (needle, haystack) => {
        const starts = [...[...haystack].keys()].filter((at) => haystack.startsWith(needle, at));
        const expected = starts.map((at) => [...needle].map((_, index) => (at + index) * 10));
        assert.deepEqual(matches(needle, haystack), expected);
      }),
      { numRuns: 500 },
    );
  });

  it('reports a match with its last byte, and not again', () => {
    assert.deepEqual(matches('abc', 'abcabc'), [
      [0, 10, 20],
      [30, 40, 50],
    ]);
    assert.deepEqual(matches('aa', 'aaa'), [
      [0, 10],
      [10, 20],
    ]);
    assert.deepEqual(matches('abc', 'ab'), []);
  });
});

describe('VisibleBytes', () => {
  /** The bytes that are text. */
  const textOf = (output: string): string => {
    const screen = new VisibleBytes();
    const bytes = Buffer.from(output, 'latin1');
    return Buffer.from(bytes.filter((byte) => screen.isText(byte))).toString('latin1');
  };

  it('treats printable bytes as text, but not controls', () => {
    const all = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
    const printable = all.filter((letter) => letter >= ' ' && letter !== '\u007f');
    assert.deepEqual(
      all.filter((letter) => textOf(letter) === letter),
      printable,
    );
  });

  for (const [what, sequence] of [
    ['a color', '\u001b[38;5;1m'],
    ['a cursor move that ends in the first final byte', '\u001b[2@'],
    ['a private mode', '\u001b[?25l'],
    ['a sequence of one letter', '\u001b7'],
    ['a sequence of one letter, the first of them', '\u001b0'],
    ['a character set', '\u001b(B'],
    ['a character set that ends in a digit', '\u001b(0'],
    ['several intermediate bytes', '\u001b $/0'],
    ['a character set with the letter that starts a string', '\u001b(P'],
    ['a blank before the letter that starts a string', '\u001b P'],
    ['a title ended by a bell', '\u001b]0;title\u0007'],
    ['a title ended by a string terminator', '\u001b]0;title\u001b\\'],
    ['a device control string', '\u001bPq#0\u001b\\'],
    ['a start of string', '\u001bXabc\u001b\\'],
    ['a privacy message', '\u001b^abc\u001b\\'],
    ['an application command', '\u001b_abc\u001b\\'],
    ['a string that is cancelled', '\u001b]0;title\u0018'],
    ['a string that is substituted', '\u001b]0;title\u001a'],
    ['a sequence that is cancelled', '\u001b[12\u0018'],
    ['a sequence that is substituted', '\u001b[12\u001a'],
    ['an escape twice', '\u001b\u001b[1m'],
    ['a sequence inside of a sequence', '\u001b[12\u001b[1m'],
    ['a sequence inside of a string, which ends it', '\u001b]0;title\u001b[1m'],
    ['a string inside of a string, which ends it', '\u001b]0;title\u001b]2;more\u0007'],
    ['an escape before the end of a string', '\u001b]0;title\u001b\u001b[1m'],
    ['controls inside of a sequence', '\u001b[1\n;2m'],
    ['controls before the kind of a sequence', '\u001b\n[1m'],
    ['a sequence inside of a character set', '\u001b(\u001b[1m'],
    ['an escape that is cancelled', '\u001b\u0018'],
    ['an escape that is substituted', '\u001b\u001a'],
    ['a character set that is cancelled', '\u001b(\u0018'],
    ['a character set that is substituted', '\u001b(\u001a'],
  ] as const) {
    it(`skips ${what}`, () => {
      assert.equal(textOf(`before${sequence}after`), 'beforeafter');
    });
  }

  it('skips a string that never ends', () => {
    assert.equal(textOf('before\u001b]0;title and more\n'), 'before');
  });
});
