import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { agentLikeChunks, agentLikeFile } from '../../../bench/agentOutput.ts';
import { textOffsets, withOtherWords } from '../../../bench/varyText.ts';

describe('bench: agent-like output', () => {
  const shown = (text: string): string =>
    [...textOffsets(Buffer.from(text, 'latin1'))].map((at) => text[at]).join('');

  it('knows what is text and what belongs to escape sequences', () => {
    assert.equal(shown('a\x1b[31mb\x1b[?25lc1'), 'abc1');
    assert.equal(shown('a\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c'), 'abc');
    assert.equal(shown('a\x1b(Bb\x1b7c\x1b=d'), 'abcd');
    assert.equal(shown('a\x1b[31'), 'a');
    assert.equal(shown('a\x1b'), 'a');
  });

  it('changes words the same way throughout, and nothing else', () => {
    const text = 'Word 12 \x1b[1mword\x1b[0m Word\r\n';
    const bytes = Buffer.from(text);
    const varied = Buffer.from(withOtherWords(bytes, textOffsets(bytes), 3)).toString();
    assert.notEqual(varied, text);
    assert.match(varied, /^(\w{4}) \d\d \x1b\[1m(\w{4})\x1b\[0m \1\r\n$/);
    assert.equal(
      Buffer.from(withOtherWords(bytes, textOffsets(bytes), 3)).toString(),
      varied,
      'the same for the same seed',
    );
  });

  it('writes a file of the requested length, whose chunks add up to it', async () => {
    const length = 3_000_001;
    const content = await readFile(await agentLikeFile(length));
    assert.equal(content.length, length);
    const chunks = await agentLikeChunks(length);
    assert.equal(
      chunks.reduce((sum, [, bytes]) => sum + bytes, 0),
      length,
    );
    assert.ok(chunks.every(([atMs], index) => atMs >= (chunks[index - 1]?.[0] ?? 0)));
  });

  it('starts with a recording as it is, and a longer file starts like a shorter one', async () => {
    const fixture = new URL('../../fixtures/pty/claude.bin', import.meta.url);
    const [short, long] = [await agentLikeFile(60_000), await agentLikeFile(3_000_001)];
    const [recording, start, more] = await Promise.all(
      [fixture, short, long].map((file) => readFile(file)),
    );
    assert.ok(recording && start && more);
    assert.ok(start.subarray(0, recording.length).equals(recording));
    assert.ok(more.subarray(0, start.length).equals(start));
  });
});
