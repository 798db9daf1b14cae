import type { RecordingProblem } from '../../recording/format/problem.ts';
import type { RecordingReader } from '../../recording/read/reader.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import type { RecordSource } from '../../terminal/keyframes/frames.ts';

type Range = Parameters<RecordSource['records']>[0];

/** Keeps record indexes as in the block headers: empty marks replace damaged records. */
export class AlignedRecords implements RecordSource {
  readonly #reader: RecordingReader;
  #problem: RecordingProblem | undefined;

  constructor(reader: RecordingReader) {
    this.#reader = reader;
  }

  /** The first problem found so far. */
  get problem(): RecordingProblem | undefined {
    return this.#problem;
  }

  async *records(range: Range): AsyncGenerator<AhrRecord, void, void> {
    for await (const records of this.blocks(range)) yield* records;
  }

  /** The records, block by block. */
  async *blocks(range: Range): AsyncGenerator<readonly AhrRecord[], void, void> {
    const { from = 0 } = range;
    for await (const { block, records, problem } of this.#reader.blocksOf(range)) {
      this.#problem ??= problem;
      const expected =
        block.firstRecordIndex + block.recordCount - Math.max(from, block.firstRecordIndex);
      if (records.length === expected) {
        yield records;
        continue;
      }
      const tsNs = records.at(-1)?.tsNs ?? block.startTsNs;
      const filler: AhrRecord = { kind: 'mark', tsNs, code: 0, value: 0 };
      const missing = Math.max(0, expected - records.length);
      yield [...records.slice(0, Math.max(0, expected)), ...Array<AhrRecord>(missing).fill(filler)];
    }
  }
}
