import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { EraseScanner } from './eraseScanner.ts';
import type { RecordSource } from '../keyframes/frames.ts';
import { HeldBlanks } from './heldBlanks.ts';
import { playRecord } from '../keyframes/playRecord.ts';
import { RowTextBatch } from '../screen/rowText.ts';
import type { RowView } from '../screen/rowView.ts';
import { TerminalModel } from '../screen/terminalModel.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';

/** A line of the program's output in its final state. */
export interface FinalLine {
  /** Counted from 0, in the order on the screen. */
  readonly index: number;
  /** Without empty cells at the end. */
  readonly text: string;
  /**
   * End of the last data record that changed the line, in bytes from the start of the recording.
   */
  readonly lastWriteByte: number;
  /** With colors, attributes and links; undefined unless `isStyled`. */
  readonly styled: string | undefined;
}

export interface FinalLinesOptions {
  readonly source: RecordSource;
  /** Size of the terminal at the start of the recording. */
  readonly size: TerminalSize;
  readonly unicodeVersion?: UnicodeVersion;
  readonly isStyled?: boolean;
  readonly signal?: AbortSignal;
}

/** Returned after all lines. */
export interface FinalSummary {
  /** Bytes of output in the recording. */
  readonly totalBytes: number;
}

/** Batches of lines: yielding single lines would take as much time as the terminal's parsing. */
export type FinalLineBatches = AsyncGenerator<readonly FinalLine[], FinalSummary, void>;

/** Minimum number of lines in a batch, except for the last batch. */
const BATCH_LINES = 256;
/** Maximum number of lines in a batch: a record may release many held blank lines. */
const MAX_BATCH_LINES = 65_536;

/**
 * Yields the scrollback and the screen at the end of the recording, top to bottom, without blank
 * lines at the end and without erased scrollback. If the recording ends on the alternate screen,
 * its rows follow those of the main screen. Memory does not grow with the recording.
 */
export async function* finalLines(options: FinalLinesOptions): FinalLineBatches {
  const lastErase = await findLastErase(options);
  const first = new FinalLinesPass(options, 0);
  const isComplete = await first.playTo(lastErase);
  if (isComplete) return yield* first.emit();
  // The scanner reported an erasure that did not happen. Play again, and skip only the lines that
  // were really erased.
  first.dispose();
  return yield* new FinalLinesPass(options, first.erasedLines).emit();
}

/** Index of the last record that may erase the scrollback; -1 if there is none (the usual case). */
async function findLastErase({ source, signal }: FinalLinesOptions): Promise<number> {
  const scanner = new EraseScanner();
  let index = 0;
  let last = -1;
  for await (const record of source.records({})) {
    signal?.throwIfAborted();
    if (record.kind === 'data' && scanner.scan(record.bytes)) last = index;
    index++;
  }
  return last;
}

class FinalLinesPass {
  readonly #options: FinalLinesOptions;
  readonly #model: TerminalModel;
  readonly #blanks = new HeldBlanks();
  readonly #texts = new RowTextBatch();
  #offsets: number[] = [];
  #styles: string[] = [];
  #nextIndex = 0;
  /** Lines to skip, because they are erased later. */
  #toSkip: number;
  #leftLines = 0;
  #nextRecord = 0;
  #isCounting = false;
  /** Number of lines in the scrollback at its last erasure. */
  erasedLines = 0;

  constructor(options: FinalLinesOptions, toSkip: number) {
    this.#options = options;
    this.#toSkip = toSkip;
    this.#model = new TerminalModel({
      size: options.size,
      unicodeVersion: options.unicodeVersion,
      historyLines: 0,
      onLine: (line) => this.#leave(line),
      onHistoryCleared: () => this.#erase(),
    });
  }

  /**
   * Plays up to and including a record; keeps only the lines that scroll off during this record.
   * @returns whether all earlier lines were erased, so that no line is missing
   */
  async playTo(lastRecord: number): Promise<boolean> {
    if (lastRecord < 0) return true;
    let leftBefore = 0;
    for await (const record of this.#options.source.records({})) {
      this.#options.signal?.throwIfAborted();
      this.#isCounting = this.#nextRecord < lastRecord;
      leftBefore = this.#leftLines;
      playRecord(this.#model, record);
      if (this.#nextRecord++ === lastRecord) break;
    }
    return this.erasedLines >= leftBefore;
  }

  async *emit(): FinalLineBatches {
    try {
      for await (const record of this.#options.source.records({ from: this.#nextRecord })) {
        this.#options.signal?.throwIfAborted();
        playRecord(this.#model, record);
        if (this.#texts.rowCount >= BATCH_LINES) yield* this.#take();
      }
      for (const row of this.#model.mainScreenRows()) this.#add(row);
      if (this.#model.isAlternateScreen) for (const row of this.#model.rows()) this.#add(row);
      yield* this.#take();
      return { totalBytes: this.#model.byteOffset };
    } finally {
      this.dispose();
    }
  }

  dispose(): void {
    this.#model.dispose();
  }

  *#take(): Generator<FinalLine[], void, void> {
    let ready: FinalLine[] = [];
    const texts = this.#texts.take();
    for (let at = 0; at < texts.length; at++) {
      // The `!`s are safe: texts and offsets both have an entry for each row.
      const text = texts[at]!;
      const lastWriteByte = this.#offsets[at]!;
      const styled = this.#styles[at];
      if (text === '' || text.trim() === '') {
        this.#blanks.hold({ text, lastWriteByte, styled });
        continue;
      }
      if (!this.#blanks.isEmpty) {
        for (const blank of this.#blanks.release()) {
          ready.push({ index: this.#nextIndex++, ...blank });
          if (ready.length < MAX_BATCH_LINES) continue;
          yield ready;
          ready = [];
        }
      }
      ready.push({ index: this.#nextIndex++, text, lastWriteByte, styled });
    }
    this.#offsets = [];
    this.#styles = [];
    if (ready.length > 0) yield ready;
  }

  #leave(line: RowView): void {
    this.#leftLines++;
    if (this.#isCounting) return;
    if (this.#toSkip > 0) this.#toSkip--;
    else this.#add(line);
  }

  /**
   * Drops the scrollback collected so far. A pass that skips erased lines has collected none of it.
   */
  #erase(): void {
    this.erasedLines = this.#leftLines;
    this.#texts.clear();
    this.#offsets = [];
    this.#styles = [];
  }

  #add(row: RowView): void {
    row.addTextTo(this.#texts);
    this.#offsets.push(row.lastWriteByte);
    if (this.#options.isStyled === true) this.#styles.push(row.styled);
  }
}
