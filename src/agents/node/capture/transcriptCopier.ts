import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { stringifyExactJson } from '../../../base/exactJson.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import { makePrivateFolder } from '../../../platform/node/paths.ts';
import type { SystemClock } from '../../../platform/node/systemClock.ts';

export const TRANSCRIPTS_FOLDER = 'agent/transcripts';
export const INDEX_FILE = 'index.jsonl';

export interface TranscriptCopierOptions {
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** Redacts a line before it is written. */
  safeLine?(line: string): string;
  onError(error: unknown): void;
}

/** Receives the lines of one transcript, in order. */
export interface CopiedLines {
  add(line: string): void;
  /** The agent rewrote its file: later lines go to another copy. */
  restart(): void;
}

interface Copy {
  readonly name: string;
  readonly handle: Promise<FileHandle>;
  lines: number;
}

/**
 * Copies the agent's transcripts into the session's folder, since agents delete old transcripts and
 * projects move. An index stores how many lines each copy had at each moment.
 */
export class TranscriptCopier {
  readonly #folder: string;
  readonly #index: FileHandle;
  readonly #order = new Sequencer();
  readonly #copies: Copy[] = [];
  readonly #options: TranscriptCopierOptions;
  #markedNs = -1n;
  #hasReportedError = false;
  #isStopped = false;

  private constructor(folder: string, index: FileHandle, options: TranscriptCopierOptions) {
    this.#folder = folder;
    this.#index = index;
    this.#options = options;
  }

  static async open(
    sessionFolder: string,
    options: TranscriptCopierOptions,
  ): Promise<TranscriptCopier> {
    const folder = path.join(sessionFolder, TRANSCRIPTS_FOLDER);
    makePrivateFolder(folder);
    const index = await open(path.join(folder, INDEX_FILE), 'a', 0o600);
    return new TranscriptCopier(folder, index, options);
  }

  /**
   * @param source the agent's own file
   * @param isBase whether the file belongs to a parent session, from which this one was forked
   */
  follow(source: string, isBase = false): CopiedLines {
    let copy: Copy | undefined;
    return {
      add: (line) => {
        if (this.#isStopped) return;
        copy ??= this.#begin(source, isBase);
        this.#write(copy, line);
      },
      restart: () => (copy = undefined),
    };
  }

  /** Ends all copies for good: a copy with a gap would be useless. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Stores how many lines each copy has at a moment of the recording. */
  mark(byte: number, timeNs: bigint): void {
    if (this.#isStopped) return;
    // A moment may be marked again; its first mark has the right number of lines.
    if (timeNs <= this.#markedNs) return;
    this.#markedNs = timeNs;
    // Agents use the wall clock, which may differ from the recorder's clock.
    const skewNs = BigInt(Date.now()) * 1_000_000n - this.#options.clock.nowNs();
    const lines = Object.fromEntries(this.#copies.map(({ name, lines: count }) => [name, count]));
    const mark = { byte, ts_ns: timeNs, skew_ns: skewNs, lines };
    this.#queue(() => this.#index.write(`${stringifyExactJson(mark)}\n`));
  }

  async close(): Promise<void> {
    await this.#order.queue(async () => {
      for (const { handle } of this.#copies) await (await handle).close();
      await this.#index.close();
    });
  }

  #begin(source: string, isBase: boolean): Copy {
    const name = `${this.#copies.length + 1}.jsonl`;
    const handle = open(path.join(this.#folder, name), 'a', 0o600);
    // The code that awaits the handle reports the error.
    handle.catch(() => {});
    const copy = { name, handle, lines: 0 };
    this.#copies.push(copy);
    const entry = { file: name, source, ...(isBase && { isBase }) };
    this.#queue(() => this.#index.write(`${JSON.stringify(entry)}\n`));
    return copy;
  }

  #write(copy: Copy, line: string): void {
    copy.lines++;
    const safe = this.#options.safeLine?.(line) ?? line;
    this.#queue(async () => (await copy.handle).write(`${safe}\n`));
  }

  /** Reports the first error and ignores later ones: a full disk must not stop the recording. */
  #queue(write: () => Promise<unknown>): void {
    void this.#order.queue(async () => {
      try {
        await write();
      } catch (error) {
        if (!this.#hasReportedError) this.#options.onError(error);
        this.#hasReportedError = true;
      }
    });
  }
}
