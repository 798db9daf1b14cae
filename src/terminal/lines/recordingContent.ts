import { Emitter, type Event } from '../../base/emitter.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import { endOfBlock } from '../../recording/format/blockInfo.ts';
import type { ByteSource, Decompressor } from '../../recording/format/ports.ts';
import type { RecordingProblem } from '../../recording/format/problem.ts';
import { RecordingReader } from '../../recording/read/reader.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { RecordedLines, type RecordedItem } from './recordedLines.ts';

/** The file of a recording. Another file may replace it, for example when it is repacked. */
export interface FollowedSource extends ByteSource, Disposable {
  /**
   * Opens the file that is at the path now; reads use it until the next call.
   * @throws UserError if it can't be read
   */
  follow(): Promise<void>;
}

/** The state of a recording, as far as it has been read. */
export interface RecordedState {
  /** Changes when settled items change. */
  readonly generation: number;
  readonly itemCount: number;
  /** Number of items at the start of the list that stay the same in this generation. */
  readonly settledItems: number;
  /** Number of dropped lines at the start. */
  readonly omittedLines: number;
  readonly momentCount: number;
  readonly fileBytes: number;
  readonly outputBytes: number;
  readonly startedAtNs: bigint | undefined;
  readonly endedAtNs: bigint | undefined;
  readonly cols: number;
  readonly rows: number;
  /** Whether the recording is complete, so that its last block is there. */
  readonly isFinished: boolean;
  /** The part of the file that has been read, from 0 to 1. */
  readonly progress: number;
  /** Damage of the recording. */
  readonly problem: RecordingProblem | undefined;
  /** Why the file can't be read now; the other fields are from the last read. */
  readonly failure: ReadFailure | undefined;
}

/** The fields of a `UserError`, which can be sent to another thread. */
export interface ReadFailure {
  readonly code: string;
  readonly message: string;
}

export interface RecordedItems {
  /** The generation in which the items were read. */
  readonly generation: number;
  readonly from: number;
  readonly items: readonly RecordedItem[];
}

/** An open recording, on this or another thread. */
export interface OpenRecording extends Disposable {
  readonly onDidChange: Event<RecordedState>;
  /** Reads what was appended to the file, or all of the new file if it was replaced. */
  refresh(): Promise<void>;
  items(from: number, to: number): Promise<RecordedItems>;
}

export interface ContentOptions {
  readonly source: FollowedSource;
  readonly decompressor: Decompressor;
  /**
   * Finds the Unicode version for the character widths; without this, VS Code's default applies.
   */
  readonly unicodeVersion?: () => Promise<UnicodeVersion>;
  /** Called often. Returns a promise to wait for when other work on this thread is due. */
  readonly pause: () => Promise<void> | undefined;
}

/** Progress of reading the file from its start; starts over when the file is replaced. */
interface Reading {
  readonly lines: RecordedLines;
  played: number;
  playedBytes: number;
  outputBytes: number;
  first: bigint | undefined;
  last: bigint | undefined;
  problem: RecordingProblem | undefined;
}

/** Plays a recording, follows its growth, and serves its lines. */
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
        // Reads fail while the file is closed; no caller needs the result.
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

  /**
   * Combines two counters into one number that never decreases: how often the file was replaced,
   * and the revision of the lines.
   */
  get #generation(): number {
    return this.#replacements * 2 ** 40 + this.#shown.lines.revision;
  }

  async #readOn(): Promise<void> {
    const { source, decompressor } = this.#options;
    await source.follow();
    this.#fileBytes = await source.size();
    if (!this.#reader) {
      this.#reader = await RecordingReader.open(source, decompressor);
    } else if ((await this.#reader.refresh()) === 'replaced') {
      // Show the old file until the new one has been read.
      const reading = newReading(await this.#options.unicodeVersion?.());
      await this.#play(this.#reader, reading);
      this.#shown.lines.dispose();
      this.#shown = reading;
      this.#replacements++;
      return;
    }
    await this.#play(this.#reader, this.#shown);
  }

  async #play(reader: RecordingReader, reading: Reading): Promise<void> {
    for await (const { block, records, problem } of reader.blocksOf({
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
      while (!this.#isDisposed && pieces.next().done !== true) await this.#pause(reading);
    }
    await this.#pause(reading);
  }

  async #pause(reading: Reading): Promise<void> {
    const pause = this.#options.pause();
    if (!pause) return;
    if (reading === this.#shown) this.#changes.fire(this.state);
    await pause;
  }
}

function newReading(unicodeVersion?: UnicodeVersion): Reading {
  return {
    lines: new RecordedLines(undefined, unicodeVersion),
    played: 0,
    playedBytes: 0,
    outputBytes: 0,
    first: undefined,
    last: undefined,
    problem: undefined,
  };
}
