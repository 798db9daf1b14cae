import type { TranscriptLine } from '../common/transcript/transcript.ts';
import type { TranscriptBody } from '../common/webviewProtocol.ts';

/** Tells a text that changes mostly at its end, from the first line on that is not as it was. */
export class TranscriptTeller {
  readonly #tell: (body: TranscriptBody) => void;
  #told: readonly TranscriptLine[] = [];
  #isCurrent = false;

  constructor(tell: (body: TranscriptBody) => void) {
    this.#tell = tell;
  }

  tell(lines: readonly TranscriptLine[], isCurrent: boolean): void {
    let from = 0;
    while (from < lines.length && isSame(lines[from], this.#told[from])) from++;
    const isSameLength = from === lines.length && from === this.#told.length;
    if (isSameLength && isCurrent === this.#isCurrent) return;
    this.#told = lines;
    this.#isCurrent = isCurrent;
    this.#tell({ from, lines: lines.slice(from), isCurrent });
  }
}

function isSame(a: TranscriptLine | undefined, b: TranscriptLine | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.text === b.text &&
    a.kind === b.kind &&
    a.byteOffset === b.byteOffset &&
    a.timeMs === b.timeMs &&
    a.lastMs === b.lastMs &&
    a.momentId === b.momentId &&
    a.detail === b.detail &&
    a.count === b.count &&
    a.isError === b.isError &&
    a.snapshotId === b.snapshotId &&
    a.turn === b.turn
  );
}
