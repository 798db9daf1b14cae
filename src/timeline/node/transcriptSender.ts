import type { TranscriptLine, TranscriptUpdate } from '../common/transcript/transcript.ts';

/** Sends a transcript from the first changed line on; it changes mostly at its end. */
export class TranscriptSender {
  readonly #send: (body: TranscriptUpdate) => void;
  #sent: readonly TranscriptLine[] = [];
  #isCurrent = false;

  constructor(send: (body: TranscriptUpdate) => void) {
    this.#send = send;
  }

  send(lines: readonly TranscriptLine[], isCurrent: boolean): void {
    let from = 0;
    while (from < lines.length && isSame(lines[from], this.#sent[from])) from++;
    const isSameLength = from === lines.length && from === this.#sent.length;
    if (isSameLength && isCurrent === this.#isCurrent) return;
    this.#sent = lines;
    this.#isCurrent = isCurrent;
    this.#send({ from, lines: lines.slice(from), isCurrent });
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
    a.changesId === b.changesId &&
    a.changesFromId === b.changesFromId &&
    a.turn === b.turn
  );
}
