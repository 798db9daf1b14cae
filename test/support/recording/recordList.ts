import type { AhrRecord } from '../../../src/recording/format/records.ts';
import type { RecordSource } from '../../../src/terminal/keyframes/frames.ts';

const encoder = new TextEncoder();

/** Output, or a size of the terminal. */
export type Step = string | Uint8Array | readonly [cols: number, rows: number];

/** Records one millisecond apart. */
export function recordsOf(...steps: readonly Step[]): AhrRecord[] {
  let startByteOffset = 0;
  return steps.map((step, index): AhrRecord => {
    const tsNs = BigInt(index + 1) * 1_000_000n;
    if (typeof step !== 'string' && !(step instanceof Uint8Array)) {
      return { kind: 'resize', tsNs, cols: step[0], rows: step[1] };
    }
    const bytes = typeof step === 'string' ? encoder.encode(step) : step;
    const record = { kind: 'data', tsNs, startByteOffset, bytes } as const;
    startByteOffset += bytes.length;
    return record;
  });
}

/** Records in memory as a recording. Counts how many were read. */
export class RecordList implements RecordSource {
  readonly #records: readonly AhrRecord[];
  readCount = 0;

  constructor(records: readonly AhrRecord[]) {
    this.#records = records;
  }

  async *records({ from = 0 }: { readonly from?: number }): AsyncGenerator<AhrRecord, void, void> {
    for (const record of this.#records.slice(from)) {
      this.readCount++;
      yield await Promise.resolve(record);
    }
  }
}
