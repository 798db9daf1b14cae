import assert from 'node:assert/strict';
import { anchorOf, findLine } from '../../../../src/extension/transcript/draftAnchor.ts';
import type { TranscriptLine } from '../../../../src/timeline/common/transcript/transcript.ts';

function line(kind: TranscriptLine['kind'], byteOffset: number, timeMs = 0): TranscriptLine {
  return { kind, text: '', byteOffset, timeMs };
}

describe('the line of a draft', () => {
  const before = [
    line('screen', 10),
    line('prompt', 20, 5),
    line('text', 20, 5),
    line('text', 20, 5),
  ];

  it('is found again after lines were added before it', () => {
    const grown = [line('screen', 4), ...before, line('screen', 30)];
    for (const index of before.keys()) {
      const anchor = anchorOf(before, index);
      assert.deepEqual(findLine(before, anchor), { index, isExact: true });
      assert.deepEqual(findLine(grown, anchor), { index: index + 1, isExact: true });
    }
  });

  it('is the nearest earlier one if it is gone', () => {
    const anchor = anchorOf(before, 1);
    const others = [line('screen', 4), line('screen', 12), line('screen', 30)];
    assert.deepEqual(findLine(others, anchor), { index: 1, isExact: false });
    assert.deepEqual(findLine([line('screen', 90)], anchor), { index: 0, isExact: false });
    const shorter = before.slice(0, 3);
    assert.deepEqual(findLine(shorter, anchorOf(before, 3)), { index: 2, isExact: false });
  });
});
