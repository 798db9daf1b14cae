import assert from 'node:assert/strict';
import { TerminalTitles } from '../../../../src/host/pty/terminalTitles.ts';

function titlesOf(chunks: readonly Uint8Array[]): string[] {
  const found: string[] = [];
  const titles = new TerminalTitles({
    onTitle: (title) => found.push(title),
    onState: (said) => found.push(`state: ${said}`),
  });
  for (const chunk of chunks) titles.push(chunk);
  return found;
}

describe('titles of a terminal', () => {
  const text =
    'a\x1b]0;✋ Action Required\x07b\x1b]2;◇ Ready\x1b\\\x1b]1;icon\x07\x1b[31mred\x1b]7501;state=idle:app=codex\x1b\\\x1b]750;x\x07\x1b]0;\x07';
  const bytes = Buffer.from(text);
  const expected = ['✋ Action Required', '◇ Ready', 'state: state=idle:app=codex', ''];

  it('and reported states are found, with either terminator', () => {
    assert.deepEqual(titlesOf([bytes]), expected);
  });

  it('are found wherever the output is split', () => {
    for (let at = 1; at < bytes.length; at++) {
      assert.deepEqual(
        titlesOf([bytes.subarray(0, at), bytes.subarray(at)]),
        expected,
        `cut at ${at}`,
      );
    }
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    assert.deepEqual(titlesOf(single), expected);
  });

  it('without an end are dropped', () => {
    const endless = Buffer.from(`\x1b]0;${'x'.repeat(10_000)}`);
    assert.deepEqual(titlesOf([endless, Buffer.from('\x07\x1b]0;next\x07')]), ['next']);
  });
});
