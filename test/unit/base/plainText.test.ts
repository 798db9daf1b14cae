import assert from 'node:assert/strict';
import { plain, plainText, seenText } from '../../../src/base/plainText.ts';

describe('plain text', () => {
  it('returns one line of visible characters', () => {
    assert.equal(plain('a\x1b[31mb\r\nc\u2028d'), 'ab c d');
    assert.equal(plain('rm \u202egpj.exe\u2066 \ufeffx'), 'rm  gpj.exe   x');
    assert.equal(plain('\u{e0041}\u00adhidden\u200b'), 'hidden');
  });

  it('leaves out sequences for a terminal', () => {
    assert.equal(
      plain('\x1b[1;32m✓\x1b[0m 3 \x1b]8;;http://x\x07tests\x1b]8;;\x1b\\'),
      '✓ 3 tests',
    );
    assert.equal(plain('\x1b]0;not ended'), ']0;not ended');
  });

  it('keeps characters that join letters and emoji', () => {
    const text = 'می‌خواهم 👩‍👩‍👧 क्‍ष';
    assert.equal(plain(text), text);
  });

  it('is cut between characters', () => {
    assert.equal(plainText('12345', 5), '12345');
    assert.equal(plainText('123456', 5), '1234…');
    assert.equal(plainText('123👩456', 5), '123…');
    assert.equal(plainText('\x07'.repeat(3) + 'a'.repeat(1e7), 4), 'aaa…');
  });

  it('names invisible characters in several lines', () => {
    assert.equal(seenText('echo a\n\trm -rf b'), 'echo a\n\trm -rf b');
    assert.equal(seenText('echo \u202e"fr- mr"\r#\x00'), 'echo ⟨U+202E⟩"fr- mr"⟨U+000D⟩#⟨U+0000⟩');
    assert.equal(seenText('a\u{e0041}b'), 'a⟨U+E0041⟩b');
  });
});
