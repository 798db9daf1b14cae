import assert from 'node:assert/strict';
import {
  branchPlace,
  lastLineKept,
  snapshotFor,
  type DraftedTranscript,
} from '../../../../src/extension/transcript/draftPlace.ts';
import { nanosecondsAt } from '../../../../src/timeline/common/recordIndex.ts';
import type { TranscriptLine } from '../../../../src/timeline/common/transcript/transcript.ts';

type Said = readonly [
  kind: TranscriptLine['kind'],
  text: string,
  byteOffset: number,
  timeMs: number,
];

/** Snapshots have their numbers as text. */
function transcript(...said: readonly Said[]): DraftedTranscript {
  const lines = said.map(([kind, text, byteOffset, timeMs]): TranscriptLine => {
    const line = { kind, text, byteOffset, timeMs };
    return kind === 'snapshot' ? { ...line, snapshotId: text } : line;
  });
  const placeOf = (index: number) => {
    const { byteOffset, timeMs } = lines[index]!;
    return { byte: byteOffset, timeNs: nanosecondsAt(0n, timeMs) };
  };
  const snapshots = lines.flatMap(({ snapshotId }, index) =>
    snapshotId === undefined ? [] : [{ snapshotId, label: '', ...placeOf(index) }],
  );
  return { lines, snapshots, placeOf };
}

describe('the start of a drafted instruction', () => {
  it('is not after its line if no output lies in between', () => {
    const silent = transcript(
      ['snapshot', '1', 0, 10],
      ['prompt', 'go', 0, 20],
      ['tool', 'Bash one', 0, 30],
      ['snapshot', '2', 0, 40],
      ['tool', 'Bash two', 0, 50],
      ['snapshot', '3', 0, 60],
    );
    const starts = silent.lines.map((_, index) => {
      const { byte, timeNs } = branchPlace(silent, index);
      return [snapshotFor(silent, index)?.snapshotId, byte, Number(timeNs / 1_000_000n)];
    });
    assert.deepEqual(starts, [
      ['1', 0, 10],
      ['1', 0, 20],
      ['1', 0, 30],
      ['2', 0, 40],
      ['2', 0, 50],
      ['3', 0, 60],
    ]);
    assert.deepEqual(
      silent.lines.map((_, index) => lastLineKept(silent, index)),
      [0, 1, 2, 3, 4, 5],
    );
  });

  it('is at the nearest snapshot, even if that is a little later', () => {
    const printed = transcript(
      ['snapshot', '1', 10, 10],
      ['screen', 'done', 95, 20],
      ['snapshot', '2', 100, 30],
      ['snapshot', '3', 100, 90],
    );
    assert.equal(snapshotFor(printed, 1)?.snapshotId, '2');
    assert.deepEqual(branchPlace(printed, 1), { byte: 100, timeNs: 30_000_000n });
    assert.equal(lastLineKept(printed, 1), 2);
  });
});
