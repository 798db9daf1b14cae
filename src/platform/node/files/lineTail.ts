import { errorCode } from '../../../base/errors.ts';
import { watch, type FSWatcher } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Timers } from '../../../base/clock.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { backgroundTimers } from '../systemClock.ts';
import { PollPace } from '../pollPace.ts';
import { LineSplitter } from './lineSplitter.ts';

const CHUNK_BYTES = 128 * 1024;
/** Longer lines are skipped: an agent's record of one step has at most some hundred kilobytes. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** The last bytes read are compared on each read, to notice a file that was rewritten in place. */
const MARK_BYTES = 64;

export interface LineTailOptions {
  /** Schedules the polls. */
  readonly timers?: Timers | undefined;
  /** Called for each complete line, in order, without its line end. */
  onLine(line: string): void;
  /** The file was replaced, truncated or rewritten: its lines follow again from the first. */
  onRestart?(): void;
  /** The file cannot be read; called once until it can be read again. */
  onError?(error: unknown): void;
}

/**
 * Follows a file to which lines are appended. Agents also replace, truncate and rewrite their
 * files: the tail notices each of these and starts over.
 */
export class LineTail implements Disposable {
  readonly #file: string;
  readonly #options: LineTailOptions;
  readonly #reads = new Sequencer();
  #handle: FileHandle | undefined;
  #inode: bigint | undefined;
  /** The number of bytes read from the file. */
  #offset = 0;
  /** The last bytes before the offset. */
  #mark: Buffer = Buffer.alloc(0);
  readonly #lines: LineSplitter;
  #hasReportedError = false;
  #isDisposed = false;
  #isReadWanted = false;
  #watcher: FSWatcher | undefined;
  #timer: Disposable | undefined;
  readonly #pace = new PollPace();

  constructor(file: string, options: LineTailOptions) {
    this.#file = file;
    this.#options = options;
    this.#lines = new LineSplitter((line) => options.onLine(line), MAX_LINE_BYTES);
  }

  /** Reads the file now and whenever it changes. The file need not exist yet. */
  start(): void {
    this.#poll();
  }

  /** Reads the file to its present end. */
  async read(): Promise<void> {
    // Notifications during a read are combined into one more read.
    if (this.#isReadWanted) return this.#reads.queue(async () => {});
    this.#isReadWanted = true;
    await this.#reads.queue(async () => {
      this.#isReadWanted = false;
      if (!this.#isDisposed) await this.#readAll();
    });
  }

  /** Reads to the end, including a last line without a line end, and closes the file. */
  async finish(): Promise<void> {
    await this.read();
    this.#lines.flush();
    this.dispose();
    await this.#reads.queue(async () => {});
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#watcher?.close();
    void this.#reads.queue(() => this.#close());
  }

  #poll(): void {
    this.#watch();
    const before = this.#offset;
    void this.read().then(() => {
      if (this.#isDisposed) return;
      this.#pace.polled(this.#offset !== before);
      this.#schedule();
    });
  }

  #schedule(): void {
    this.#timer?.dispose();
    const { timers = backgroundTimers } = this.#options;
    this.#timer = timers.schedule(this.#pace.ms, () => this.#poll());
  }

  /** Watches the folder, since the file may be created, deleted and created again. */
  #watch(): void {
    if (this.#watcher || this.#isDisposed) return;
    const name = path.basename(this.#file);
    try {
      this.#watcher = watch(path.dirname(this.#file), { persistent: false }, (_event, changed) => {
        if (changed !== null && changed !== name) return;
        this.#pace.reset();
        void this.read();
        this.#schedule();
      });
      this.#watcher.on('error', () => {
        this.#watcher?.close();
        this.#watcher = undefined;
      });
    } catch {
      // The folder doesn't exist yet: the next poll tries again.
    }
  }

  async #readAll(): Promise<void> {
    try {
      await this.#follow();
      this.#hasReportedError = false;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      if (!this.#hasReportedError) this.#options.onError?.(error);
      this.#hasReportedError = true;
    }
  }

  async #follow(): Promise<void> {
    const found = await stat(this.#file, { bigint: true });
    if (this.#handle && found.ino !== this.#inode) {
      // The file was replaced: read the rest of the old one first.
      await this.#readHandle(this.#handle);
      await this.#close();
      this.#restart();
    }
    const handle = (this.#handle ??= await this.#open());
    const { size } = await handle.stat();
    // The file is nearly always unchanged, so check this first.
    if (size === this.#offset) return;
    if (size < this.#offset || !(await this.#isSameFile(handle))) this.#restart();
    await this.#readHandle(handle);
  }

  /** Whether the last bytes that were read are still in the same place. */
  async #isSameFile(handle: FileHandle): Promise<boolean> {
    const mark = this.#mark;
    if (mark.length === 0) return true;
    const there = Buffer.alloc(mark.length);
    const position = this.#offset - mark.length;
    const { bytesRead } = await handle.read(there, 0, mark.length, position);
    return bytesRead === mark.length && there.equals(mark);
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.#file, 'r');
    this.#inode = (await handle.stat({ bigint: true })).ino;
    return handle;
  }

  async #readHandle(handle: FileHandle): Promise<void> {
    // Allocated for each read instead of kept, since most sessions are idle most of the time.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0 || this.#isDisposed) return;
      this.#offset += bytesRead;
      const bytes = chunk.subarray(0, bytesRead);
      this.#mark = Buffer.from(
        Buffer.concat([this.#mark, bytes.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES),
      );
      this.#lines.push(bytes);
    }
  }

  #restart(): void {
    this.#offset = 0;
    this.#mark = Buffer.alloc(0);
    this.#lines.reset();
    this.#options.onRestart?.();
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}
