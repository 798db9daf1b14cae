import assert from 'node:assert/strict';
import { ClipboardMatcher, WrappedMatcher } from '../../../../src/scrub/common/shownText.ts';

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

  it('finds a text that is cut by an end of a line', () => {
    assert.equal(starred('password', 'x pass\nword y'), 'x ****\n**** y');
    assert.equal(starred('password', 'x pass\rword y'), 'x ****\r**** y');
    assert.equal(starred('password', 'x pass  \r\n  word y'), 'x ****  \r\n  **** y');
  });

  it('takes the end of a line for a blank', () => {
    assert.equal(starred('two words', 'x two\nwords y'), 'x ***\n***** y');
    assert.equal(starred('two words', 'x two\n  words y'), 'x ***\n  ***** y');
  });

  it('takes several blanks, and frames, for one blank', () => {
    assert.equal(starred('two words', 'two   words'), '***   *****');
    assert.equal(starred('two words', 'two | words'), '*** | *****');
    assert.equal(starred('two words', 'two │ words'), '*** │ *****');
    assert.equal(starred('two words', 'two ─ words'), '*** ─ *****');
    assert.equal(starred('two words', 'two|\n|words'), '***|\n|*****');
  });

  it('takes the white space of the text for one blank, and none at its ends', () => {
    assert.equal(starred(' two \t\n words\n', 'x two words y'), 'x *** ***** y');
  });

  it('does not find a text with other blanks in it, or fewer', () => {
    for (const output of ['pass word', 'pass|word', 'passé word']) {
      assert.equal(starred('password', output), output);
    }
    assert.equal(starred('two words', 'twowords'), 'twowords');
  });

  it('forgets an end of a line when the line goes on', () => {
    assert.equal(starred('password', '\npass word'), '\npass word');
    assert.equal(starred('ab', '\nxa b'), '\nxa b');
    assert.equal(starred('x a b', 'x a\nb'), '* *\n*');
  });

  it('finds it again and again', () => {
    assert.equal(starred('ab', 'ab a\nb abab'), '** *\n* ****');
  });

  it('does not find a text with a frame or letters beyond ASCII', () => {
    for (const secret of ['a|b', 'aéb', 'a\u0080b']) {
      assert.equal(starred(secret, `x ${secret} y`), `x ${secret} y`);
      assert.equal(starred(secret, 'a b'), 'a b');
    }
    assert.equal(starred('a\u007fb{}~', 'x a\u007fb{}~'), 'x ******', 'all of ASCII');
  });
});

describe('ClipboardMatcher', () => {
  /** Where the matches are. */
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

  it('finds a text that is put into the clipboard, however the sequence ends', () => {
    const content = coded('my pässword!');
    for (const end of ['\u0007', '\u001b\\', '\n', '\u0018']) {
      const output = `before\u001b]52;c;${content}${end}after`;
      assert.deepEqual(places('pässword', output), [content]);
      assert.deepEqual(places('other', output), []);
    }
  });

  it('knows every name of a clipboard, and none', () => {
    const content = coded('secret');
    for (const name of ['c', 'p', 's', 'cps07', '']) {
      assert.deepEqual(places('secret', `\u001b]52;${name};${content}\u0007`), [content]);
    }
  });

  it('finds a text in content with blanks', () => {
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

  it('finds it behind escapes and titles that go nowhere', () => {
    const content = coded('secret');
    const copy = `\u001b]52;c;${content}\u0007`;
    for (const before of ['\u001b', '\u001b[1m', '\u001b]0;title\u0007', '\u001b]0;title', 'x]']) {
      assert.deepEqual(places('secret', before + copy), [content], JSON.stringify(before));
    }
    assert.deepEqual(places('secret', `\u001b]0;a title longer than any start${copy}`), [content]);
  });

  it('leaves alone what is no sequence for the clipboard', () => {
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
