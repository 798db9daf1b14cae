import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors.ts';
import type { AhrRecord, DataRecord } from '../../../../src/recording/format/records.ts';
import { RecordingReader } from '../../../../src/recording/read/reader.ts';
import {
  branchPoints,
  snapshotMoment,
} from '../../../../src/terminal/branchPoints/branchPoints.ts';
import { finalLines } from '../../../../src/terminal/lines/finalLines.ts';
import { RecordedLines } from '../../../../src/terminal/lines/recordedLines.ts';
import {
  RecordingContent,
  type RecordedState,
} from '../../../../src/terminal/lines/recordingContent.ts';
import { styledRuns } from '../../../../src/timeline/common/styledRuns.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { write } from '../../../support/recording/recordings.ts';
import { syncBrotli } from '../../../support/recording/syncBrotli.ts';

const START_NS = 1_760_000_000_000_000_000n;

/** A file that can be replaced and removed. */
class FollowedMemory extends MemoryFile {
  isGone = false;
  follow(): Promise<void> {
    if (this.isGone) return Promise.reject(new UserError('recording-gone', 'no such file'));
    return Promise.resolve();
  }
  dispose(): void {}
}

function contentOf(bytes: Uint8Array) {
  const file = new FollowedMemory(bytes);
  const content = new RecordingContent({
    source: file,
    decompressor: syncBrotli,
    pause: () => undefined,
  });
  const states: RecordedState[] = [];
  content.onDidChange((state) => states.push(state));
  return { file, content, states };
}

/** Lines as `4 text`, moments as their label. */
async function shown(content: RecordingContent, from = 0, to = 10_000): Promise<string[]> {
  const { items } = await content.items(from, to);
  return items.map((item) => {
    if (item.kind === 'moment') return item.label;
    const text = styledRuns(item.styled).map((run) => run.text);
    return `${item.number} ${text.join('')}`.trimEnd();
  });
}

function lines(from: number, count: number, startByteOffset: number): DataRecord {
  const text = Array.from({ length: count }, (_, index) => `line ${from + index}\r\n`).join('');
  return { kind: 'data', tsNs: START_NS + 1n, startByteOffset, bytes: Buffer.from(text) };
}

function moment(anchorByte: number, label: string): AhrRecord {
  return { kind: 'snapshot', tsNs: START_NS + 2n, snapshotId: 1n, label, anchorByte };
}

const FIVE_LINES = 'line 1\r\n'.length * 5;
const START: AhrRecord = { kind: 'resize', tsNs: START_NS, cols: 40, rows: 3 };

/** Ten lines in two records, with a moment between the two. */
function tenLines(): AhrRecord[] {
  return [START, lines(1, 5, 0), moment(FIVE_LINES, 'half way'), lines(6, 5, FIVE_LINES)];
}

/** The CLI's export of the same recording, which uses other code. */
async function exported(records: readonly AhrRecord[]): Promise<string[]> {
  const { bytes } = await write(records);
  const source = await RecordingReader.open(new MemoryFile(bytes), syncBrotli);
  const first = records.find((record) => record.kind === 'resize');
  const moments = records.filter((record) => record.kind === 'snapshot').map(snapshotMoment);
  const points: string[] = [];
  const size = first ?? { cols: 80, rows: 24 };
  for await (const batch of branchPoints(finalLines({ source, size }), moments)) {
    for (const point of batch) {
      if (point.kind === 'snapshot') points.push(point.label);
      else points.push(`${point.index + 1} ${point.text}`.trimEnd());
    }
  }
  return points;
}

function playOn(recorded: RecordedLines, record: AhrRecord): void {
  if (record.kind === 'data') Array.from(recorded.write(record));
  else recorded.add(record);
}

describe('RecordingContent', () => {
  it('shows the lines of a recording, its moments in their places, and its facts', async () => {
    const { content, states } = contentOf((await write(tenLines(), 2)).bytes);
    await content.refresh();
    assert.deepEqual((await shown(content)).slice(3, 8), [
      '4 line 4',
      '5 line 5',
      'half way',
      '6 line 6',
      '7 line 7',
    ]);
    const state = states.at(-1)!;
    assert.equal(state.itemCount, 11);
    assert.deepEqual([state.cols, state.rows, state.momentCount], [40, 3, 1]);
    assert.equal(state.outputBytes, FIVE_LINES * 2 + 1);
    assert.deepEqual([state.startedAtNs, state.endedAtNs], [START_NS, START_NS + 1n]);
    assert.deepEqual([state.isFinished, state.problem, state.progress], [true, undefined, 1]);
    for (let from = 0; from < 11; from++) {
      assert.deepEqual(
        await shown(content, from, from + 2),
        (await shown(content)).slice(from, from + 2),
      );
    }
  });

  for (const name of PTY_FIXTURES) {
    it(`shows what the command line exports of ${name}, with moments at all positions`, async () => {
      const fixture = readPtyFixture(name);
      const random = new Random(7);
      const records: AhrRecord[] = [{ kind: 'resize', tsNs: 0n, ...fixture.size }];
      for (const record of fixture.records) {
        records.push(record);
        const end = record.startByteOffset + record.bytes.length;
        if (random.below(5) === 0) records.push(moment(end, `moment at ${end}`));
      }
      const { content } = contentOf((await write(records, 5)).bytes);
      await content.refresh();
      assert.deepEqual(await shown(content), await exported(records));
    });
  }

  it('follows a recording as it grows; what was settled stays', async () => {
    const whole = (await write(tenLines(), 1)).bytes;
    const { file, content, states } = contentOf(whole.subarray(0, 0));
    let before: string[] = [];
    let settled = 0;
    for (let length = 0; length <= whole.length; length++) {
      file.bytes = whole.subarray(0, length);
      await content.refresh();
      const now = await shown(content);
      assert.deepEqual(now.slice(0, settled), before.slice(0, settled));
      assert.equal(states.at(-1)!.generation, states[0]!.generation);
      assert.equal(states.at(-1)!.itemCount, now.length);
      before = now;
      settled = states.at(-1)!.settledItems;
    }
    assert.deepEqual(before, await exported(tenLines()));
    assert.equal(states.at(-1)!.problem, undefined);
  });

  it('shows another recording that replaced the file, with a new generation', async () => {
    const { file, content, states } = contentOf((await write(tenLines(), 1)).bytes);
    await content.refresh();
    file.bytes = (await write(tenLines())).bytes; // Repacked: the same records in one block.
    await content.refresh();
    assert.deepEqual(await shown(content), await exported(tenLines()));
    assert.notEqual(states.at(-1)!.generation, states[0]!.generation);
    file.bytes = file.bytes.subarray(0, 30);
    await content.refresh();
    assert.deepEqual(await shown(content), []);
    assert.match(states.at(-1)!.problem!.message, /the file ends inside the header/);
  });

  it('keeps its lines when the file is deleted, reports it, and continues when it is back', async () => {
    const { file, content, states } = contentOf((await write(tenLines(), 1)).bytes);
    await content.refresh();
    file.isGone = true;
    await content.refresh();
    assert.equal(states.at(-1)!.failure?.code, 'recording-gone');
    assert.equal((await shown(content)).length, 11);
    file.isGone = false;
    await content.refresh();
    assert.equal(states.at(-1)!.failure, undefined);
  });

  it('increases the revision for an erased scrollback and for a late moment', () => {
    const recorded = new RecordedLines();
    const play = (record: AhrRecord) => {
      playOn(recorded, record);
      return recorded.revision;
    };
    play(START);
    const quiet = play(lines(1, 5, 0));
    assert.equal(play(moment(FIVE_LINES, 'now')), quiet);
    const late = play(moment(8, 'late'));
    assert.ok(late > quiet);
    const erase = Buffer.from('\x1b[3J');
    assert.ok(play({ kind: 'data', tsNs: 0n, startByteOffset: FIVE_LINES, bytes: erase }) > late);
  });

  it('keeps the last lines of very many, in memory that does not grow', () => {
    const recorded = new RecordedLines({ lines: 5000, bytes: 1_000_000 });
    playOn(recorded, START);
    let offset = 0;
    for (let from = 1; from < 20_000; from += 1000) {
      const record = lines(from, 1000, offset);
      offset += record.bytes.length;
      playOn(recorded, record);
    }
    assert.ok(recorded.itemCount <= 5003 && recorded.itemCount > 3900, `${recorded.itemCount}`);
    const last = recorded.items(recorded.itemCount - 1, recorded.itemCount + 5);
    assert.deepEqual(last, [{ kind: 'line', number: 20_000, styled: 'line 20000' }]);
    const [first] = recorded.items(0, 1);
    assert.equal(first?.kind === 'line' && first.number, recorded.omittedLines + 1);
  });

  it('survives a terminal of 65,535 by 65,535', async () => {
    const huge: AhrRecord = { kind: 'resize', tsNs: 0n, cols: 65_535, rows: 65_535 };
    const { content, states } = contentOf((await write([huge, lines(1, 1, 0), huge])).bytes);
    await content.refresh();
    assert.deepEqual(await shown(content), ['1 line 1']);
    assert.equal(states.at(-1)!.cols, 2000);
  });
});
