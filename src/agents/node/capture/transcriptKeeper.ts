import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { stringifyExactJson } from '../../../base/exactJson.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import { makePrivateFolder } from '../../../platform/node/paths.ts';
import type { SystemClock } from '../../../platform/node/systemClock.ts';

export const TRANSCRIPTS_FOLDER = 'agent/transcripts';
export const INDEX_FILE = 'index.jsonl';

export interface TranscriptKeeperOptions {
  readonly clock: Pick<SystemClock, 'nowNs'>;
  /** A line as it may be written down; as it is unless told. */
  safeLine?(line: string): string;
  onTrouble(error: unknown): void;
}

/** Takes the lines of one transcript, in order. */
export interface KeptLines {
  add(line: string): void;
  /** The agent wrote its file anew: what comes now is another copy. */
  restart(): void;
}

interface Copy {
  readonly name: string;
  readonly handle: Promise<FileHandle>;
  lines: number;
}

/**
 * Keeps a copy of what the agent writes down of its sessions, with the recording: agents clean up after themselves, and
 * projects move. Lines are added as they are read; of each moment it is kept how many there were.
 */
export class TranscriptKeeper {
  readonly #folder: string;
  readonly #index: FileHandle;
  readonly #order = new Sequencer();
  readonly #copies: Copy[] = [];
  readonly #options: TranscriptKeeperOptions;
  #markedNs = -1n;
  #isTroubled = false;
  #isStopped = false;

  private constructor(folder: string, index: FileHandle, options: TranscriptKeeperOptions) {
    this.#folder = folder;
    this.#index = index;
    this.#options = options;
  }

  static async open(
    sessionFolder: string,
    options: TranscriptKeeperOptions,
  ): Promise<TranscriptKeeper> {
    const folder = path.join(sessionFolder, TRANSCRIPTS_FOLDER);
    makePrivateFolder(folder);
    const index = await open(path.join(folder, INDEX_FILE), 'a', 0o600);
    return new TranscriptKeeper(folder, index, options);
  }

  /**
   * @param source the file that the agent writes
   * @param isBase whether it belongs to another session, from which this one began
   */
  follow(source: string, isBase = false): KeptLines {
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

  /** Keeps nothing any more: a copy with a hole in it would be no copy. What there is stays a beginning. */
  stop(): void {
    this.#isStopped = true;
  }

  /** A moment of the recording. */
  mark(byte: number, timeNs: bigint): void {
    if (this.#isStopped) return;
    // More may become known of a moment; what there was at it is known the first time.
    if (timeNs <= this.#markedNs) return;
    this.#markedNs = timeNs;
    // Agents use the wall clock; ours may be some hundred milliseconds off it.
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
    // Told where it is waited for.
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

  /** A full disk must not stop the recording: it is told, once. */
  #queue(write: () => Promise<unknown>): void {
    void this.#order.queue(async () => {
      try {
        await write();
      } catch (error) {
        if (!this.#isTroubled) this.#options.onTrouble(error);
        this.#isTroubled = true;
      }
    });
  }
}
