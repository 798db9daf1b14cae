import assert from 'node:assert/strict';
import { ClipboardMatcher, WrappedMatcher } from '../../../../src/scrub/common/screenMatchers.ts';

describe('WrappedMatcher', () => {
  /** The text with a star for each byte that belongs to a match. */
  const starred = (secret: string, output: string): string => {
    const matcher = new WrappedMatcher(secret);
    const bytes = Buffer.from(output);
    for (const [offset, byte] of Buffer.from(output).entries()) {
      for (const match of matcher.push(byte, offset)) {
        for (const each of match) bytes[each] = 0x2a;
      }
    }
    return bytes.toString();
  };

  it('finds a text in one line', () => {
    assert.equal(starred('two words', 'x two words y'), 'x *** ***** y');
  });

  it('finds a text that a line end interrupts', () => {
    assert.equal(starred('password', 'x pass\nword y'), 'x ****\n**** y');
    assert.equal(starred('password', 'x pass\rword y'), 'x ****\r**** y');
    assert.equal(starred('password', 'x pass  \r\n  word y'), 'x ****  \r\n  **** y');
  });

  it('treats a line end as a blank', () => {
    assert.equal(starred('two words', 'x two\nwords y'), 'x ***\n***** y');
    assert.equal(starred('two words', 'x two\n  words y'), 'x ***\n  ***** y');
  });

  it('treats several blanks and frames as one blank', () => {
    assert.equal(starred('two words', 'two   words'), '***   *****');
    assert.equal(starred('two words', 'two | words'), '*** | *****');
    assert.equal(starred('two words', 'two │ words'), '*** │ *****');
    assert.equal(starred('two words', 'two ─ words'), '*** ─ *****');
    assert.equal(starred('two words', 'two|\n|words'), '***|\n|*****');
  });

  it('treats white space in the text as one blank, and ignores it at the ends', () => {
    assert.equal(starred(' two \t\n words\n', 'x two words y'), 'x *** ***** y');
  });

  it('does not find a text with other or fewer blanks', () => {
    for (const output of ['pass word', 'pass|word', 'passé word']) {
      assert.equal(starred('password', output), output);
    }
    assert.equal(starred('two words', 'twowords'), 'twowords');
  });

  it('forgets a line end when the line continues', () => {
    assert.equal(starred('password', '\npass word'), '\npass word');
    assert.equal(starred('ab', '\nxa b'), '\nxa b');
    assert.equal(starred('x a b', 'x a\nb'), '* *\n*');
  });

  it('finds repeated matches', () => {
    assert.equal(starred('ab', 'ab a\nb abab'), '** *\n* ****');
  });

  it('does not find a text with frames or non-ASCII letters', () => {
    for (const secret of ['a|b', 'aéb', 'a\u0080b']) {
      assert.equal(starred(secret, `x ${secret} y`), `x ${secret} y`);
      assert.equal(starred(secret, 'a b'), 'a b');
    }
    assert.equal(starred('a\u007fb{}~', 'x a\u007fb{}~'), 'x ******', 'all of ASCII');
  });
});

describe('ClipboardMatcher', () => {
  /** The offsets of the matches. */
  const places = (secret: string, output: string): string[] => {
    const matcher = new ClipboardMatcher(secret);
    const found: string[] = [];
    for (const [offset, byte] of Buffer.from(output).entries()) {
      const match = matcher.push(byte, offset);
      if (match) found.push(match.map((each) => output[each]).join(''));
    }
    return found;
  };
  const coded = (text: string): string => Buffer.from(text).toString('base64');

  it('finds a text in clipboard contents, for every end of the sequence', () => {
    const content = coded('my pässword!');
    for (const end of ['\u0007', '\u001b\\', '\n', '\u0018']) {
      const output = `before\u001b]52;c;${content}${end}after`;
      assert.deepEqual(places('pässword', output), [content]);
      assert.deepEqual(places('other', output), []);
    }
  });

  it('accepts every clipboard name, and none', () => {
    const content = coded('secret');
    for (const name of ['c', 'p', 's', 'cps07', '']) {
      assert.deepEqual(places('secret', `\u001b]52;${name};${content}\u0007`), [content]);
    }
  });

  it('finds a text in contents with blanks', () => {
    const content = coded('secret');
    const withBlank = `${content.slice(0, 3)} ${content.slice(3)}`;
    assert.deepEqual(places('secret', `\u001b]52;c;${withBlank}\u0007`), [withBlank]);
  });

  it('finds each of several', () => {
    const [first, second] = [coded('secret'), coded('the secret')];
    const copy = (content: string, end: string) => `\u001b]52;c;${content}${end}`;
    assert.deepEqual(places('secret', `${copy(first, '\u0007')}text${copy(second, '\u001b\\')}`), [
      first,
      second,
    ]);
    assert.deepEqual(
      places('secret', copy(coded('x'), '\u0007') + copy(second, '\u0007')),
      [second],
      'the content of the first is not taken for that of the second',
    );
    assert.deepEqual(
      places('secret', `${copy(coded('x'), '')}${copy(second, '\u0007')}`),
      [second],
      'the next sequence ends one without an end',
    );
  });

  it('finds it after incomplete escapes and titles', () => {
    const content = coded('secret');
    const copy = `\u001b]52;c;${content}\u0007`;
    for (const before of ['\u001b', '\u001b[1m', '\u001b]0;title\u0007', '\u001b]0;title', 'x]']) {
      assert.deepEqual(places('secret', before + copy), [content], JSON.stringify(before));
    }
    assert.deepEqual(places('secret', `\u001b]0;a title longer than any start${copy}`), [content]);
  });

  it('ignores other sequences', () => {
    const content = coded('secret');
    for (const output of [
      `]52;c;${content}\u0007`,
      `x]52;c;${content}\u0007`,
      `\u001b]0;title\u0007]52;c;${content}\u0007`,
      `\u001b]52;c;${coded('x')}\u0007]52;c;${content}\u0007`,
      `\u001b[52;c;${content}\u0007`,
      `\u001b]51;c;${content}\u0007`,
      `\u001b]152;c;${content}\u0007`,
      `\u001b]52;C;${content}\u0007`,
      `\u001b]52;c${content}\u0007`,
      `\u001b]52;c;${content}`,
      `\u001bx]52;c;${content}\u0007`,
      `\u001b]\n52;c;${content}\u0007`,
      `\u001b]52;${'c'.repeat(14)};${content}\u0007`,
      `\u001b]52;c;?\u0007`,
    ]) {
      assert.deepEqual(places('secret', output), [], JSON.stringify(output));
    }
    const longest = `\u001b]52;${'c'.repeat(13)};${content}\u0007`;
    assert.deepEqual(places('secret', longest), [content], '16 bytes before the last semicolon');
  });
});
