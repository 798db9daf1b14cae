import { Emitter, type Event } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { endOfBlock } from '../../recording/format/blockInfo.ts';
import type { ByteSource, Decompressor } from '../../recording/format/ports.ts';
import type { RecordingProblem } from '../../recording/format/problem.ts';
import { RecordingReader } from '../../recording/read/reader.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { RecordedLines, type RecordedItem } from './recordedLines.ts';

/** A recording where it lies. Another may take its place, as when it is repacked. */
export interface FollowedSource extends ByteSource, Disposable {
  /** Turns to what lies there now; reads see no other meanwhile. Throws a `UserError` when nothing can be read there. */
  follow(): Promise<void>;
}

/** What is known of a recording, as far as it has been read. */
export interface RecordedState {
  /** Items that were settled are others when this is. */
  readonly generation: number;
  readonly itemCount: number;
  /** Items from the first on that stay as they are. */
  readonly settledItems: number;
  /** Lines at the beginning that are no longer kept. */
  readonly omittedLines: number;
  readonly momentCount: number;
  readonly fileBytes: number;
  readonly outputBytes: number;
  readonly startedAtNs: bigint | undefined;
  readonly endedAtNs: bigint | undefined;
  readonly cols: number;
  readonly rows: number;
  /** Whether its writer ended it. */
  readonly isFinished: boolean;
  /** How much of the file has been read, from 0 to 1. */
  readonly progress: number;
  /** What is wrong with it. */
  readonly problem: RecordingProblem | undefined;
  /** Why it cannot be read now; the rest is what it was before. */
  readonly failure: ReadFailure | undefined;
}

/** A `UserError` in its parts, as it goes from one thread to another. */
export interface ReadFailure {
  readonly code: string;
  readonly message: string;
}

export interface RecordedItems {
  /** Of the time when they were read. */
  readonly generation: number;
  readonly from: number;
  readonly items: readonly RecordedItem[];
}

/** A recording that is open to be read, here or on another thread. */
export interface OpenRecording extends Disposable {
  readonly onDidChange: Event<RecordedState>;
  /** Looks for what is new, or is there instead. */
  refresh(): Promise<void>;
  items(from: number, to: number): Promise<RecordedItems>;
}

export interface ContentOptions {
  readonly source: FollowedSource;
  readonly decompressor: Decompressor;
  /** Called often: a promise to wait for when others have waited long enough. */
  readonly breathe: () => Promise<void> | undefined;
}

/** One reading of the file from its start. A file that is replaced is read anew. */
interface Reading {
  readonly lines: RecordedLines;
  played: number;
  playedBytes: number;
  outputBytes: number;
  first: bigint | undefined;
  last: bigint | undefined;
  problem: RecordingProblem | undefined;
}

/** Plays a recording, follows it as it grows, and keeps its lines to be looked at. */
export class RecordingContent implements OpenRecording {
  readonly #options: ContentOptions;
  readonly #changes = new Emitter<RecordedState>();
  readonly #refreshes = new Sequencer();
  #reader: RecordingReader | undefined;
  #shown = newReading();
  #replacements = 0;
  #fileBytes = 0;
  #failure: ReadFailure | undefined;
  #isDisposed = false;

  readonly onDidChange = this.#changes.event;

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  refresh(): Promise<void> {
    return this.#refreshes.queue(async () => {
      if (this.#isDisposed) return;
      try {
        await this.#readOn();
        this.#failure = undefined;
      } catch (error) {
        // What is read while it is closed fails, and nobody waits for it.
        if (this.#isDisposed) return;
        if (!(error instanceof UserError)) throw error;
        this.#failure = { code: error.code, message: error.message };
      }
      if (!this.#isDisposed) this.#changes.fire(this.state);
    });
  }

  items(from: number, to: number): Promise<RecordedItems> {
    const items = this.#shown.lines.items(from, to);
    return Promise.resolve({ generation: this.#generation, from, items });
  }

  get state(): RecordedState {
    const { lines, ...reading } = this.#shown;
    return {
      generation: this.#generation,
      itemCount: lines.itemCount,
      settledItems: lines.settledItems,
      omittedLines: lines.omittedLines,
      momentCount: lines.momentCount,
      fileBytes: this.#fileBytes,
      outputBytes: reading.outputBytes,
      startedAtNs: reading.first,
      endedAtNs: reading.last,
      ...lines.size,
      isFinished: this.#reader?.isFinished === true,
      progress: this.#reader?.goodLength ? reading.playedBytes / this.#reader.goodLength : 1,
      problem: reading.problem ?? this.#reader?.problem,
      failure: this.#failure,
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#shown.lines.dispose();
    this.#changes.dispose();
    this.#options.source.dispose();
  }

  /** Two counts in one number: neither ever goes back, and a replacement is worth more than any upheaval. */
  get #generation(): number {
    return this.#replacements * 2 ** 40 + this.#shown.lines.upheavals;
  }

  async #readOn(): Promise<void> {
    const { source, decompressor } = this.#options;
    await source.follow();
    this.#fileBytes = await source.size();
    if (!this.#reader) {
      this.#reader = await RecordingReader.open(source, decompressor);
    } else if ((await this.#reader.refresh()) === 'replaced') {
      // What was there is shown until the other has been read.
      const reading = newReading();
      await this.#play(reading);
      this.#shown.lines.dispose();
      this.#shown = reading;
      this.#replacements++;
      return;
    }
    await this.#play(this.#shown);
  }

  async #play(reading: Reading): Promise<void> {
    for await (const { block, records, problem } of this.#reader!.blocksOf({
      from: reading.played,
    })) {
      for (const record of records) {
        await this.#playRecord(reading, record);
        if (this.#isDisposed) return;
      }
      reading.problem ??= problem;
      reading.played = block.firstRecordIndex + block.recordCount;
      reading.playedBytes = endOfBlock(block);
    }
  }

  async #playRecord(reading: Reading, record: AhrRecord): Promise<void> {
    reading.first ??= record.tsNs;
    reading.last = record.tsNs;
    if (record.kind !== 'data') reading.lines.add(record);
    else {
      reading.outputBytes += record.bytes.length;
      const pieces = reading.lines.write(record);
      while (!this.#isDisposed && pieces.next().done !== true) await this.#breathe(reading);
    }
    await this.#breathe(reading);
  }

  async #breathe(reading: Reading): Promise<void> {
    const pause = this.#options.breathe();
    if (!pause) return;
    if (reading === this.#shown) this.#changes.fire(this.state);
    await pause;
  }
}

function newReading(): Reading {
  return {
    lines: new RecordedLines(),
    ...{ played: 0, playedBytes: 0, outputBytes: 0 },
    ...{ first: undefined, last: undefined, problem: undefined },
  };
}
