import type { DecodedBlock } from './blockDecoder.ts';
import type { ProblemKind } from '../format/problem.ts';
import type { AhrRecord } from '../format/records.ts';

type Report = (severity: 'error' | 'warning', kind: ProblemKind, what: string) => void;

/** Checks block by block that blocks and records continue the earlier ones. */
export class RecordOrder {
  #byteOffset = 0;
  #lastTsNs = 0n;
  /** Whether the previous block can't be read, so that the length of its output is unknown. */
  #isLost = false;

  /** Bytes of output so far. */
  get byteOffset(): number {
    return this.#byteOffset;
  }

  /** @param report called at most once for each contradiction in a block */
  check({ block, records, problem }: DecodedBlock, report: Report): void {
    if (this.#isLost) this.#byteOffset = block.startByteOffset;
    if (block.startByteOffset !== this.#byteOffset) {
      const what = `starts at byte ${block.startByteOffset} of the output, after ${this.#byteOffset}`;
      report('error', 'badOrder', what);
      this.#byteOffset = block.startByteOffset;
    }
    const first = records[0];
    if (first && first.tsNs !== block.startTsNs) {
      report('error', 'badOrder', 'starts at another time than its first record');
    }
    const reported = new Set<string>();
    for (const record of records) {
      this.#checkRecord(record, (severity, kind, what) => {
        if (reported.has(what)) return;
        reported.add(what);
        report(severity, kind, what);
      });
    }
    this.#isLost = problem !== undefined;
  }

  #checkRecord(record: AhrRecord, report: Report): void {
    if (record.tsNs < this.#lastTsNs) report('warning', 'badOrder', 'goes back in time');
    this.#lastTsNs = record.tsNs;
    if (record.kind === 'data') {
      if (record.startByteOffset !== this.#byteOffset) {
        report('error', 'badOrder', 'has output that does not continue the output before it');
      }
      this.#byteOffset = record.startByteOffset + record.bytes.length;
    } else if (record.kind === 'snapshot' && record.anchorByte > this.#byteOffset) {
      report('error', 'badOrder', 'has a snapshot at output that was not printed yet');
    }
  }
}
