import { watch, type FSWatcher } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Timers } from '../../../base/clock.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { backgroundTimers } from '../../../platform/node/systemClock.ts';

const CHUNK_BYTES = 128 * 1024;
/** Longer lines are passed over: an agent's record of one step is a few hundred kilobytes at most. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** How much of the end of what was read is remembered, to notice that the file was written anew in place. */
const MARK_BYTES = 64;
/** Notifications get lost: files are looked at anyway, the less often the longer nothing happens. */
const FIRST_POLL_MS = 500;
const LAST_POLL_MS = 5000;
const POLL_GROWTH = 1.3;
const NEWLINE = 0x0a;

export interface TranscriptTailOptions {
  /** Wake the tail for its polls. */
  readonly timers?: Timers | undefined;
  /** Called for each whole line, in order, without its end. */
  onLine(line: string): void;
  /** The file was replaced, cut or written anew: its lines come again from the first. */
  onRestart?(): void;
  /** A line was longer than any record; it is left out. */
  onTooLong?(): void;
  /** The file cannot be read; told once until it can be again. */
  onTrouble?(error: unknown): void;
}

/** Follows a file to which lines are appended, through everything that agents do with their files. */
export class TranscriptTail implements Disposable {
  readonly #file: string;
  readonly #options: TranscriptTailOptions;
  readonly #reads = new Sequencer();
  #handle: FileHandle | undefined;
  #inode: bigint | undefined;
  /** How much of the file has been read. */
  #offset = 0;
  /** The last bytes before the offset. */
  #mark: Buffer = Buffer.alloc(0);
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #isTooLong = false;
  #isTroubled = false;
  #isDisposed = false;
  #isReadWanted = false;
  #watcher: FSWatcher | undefined;
  #timer: Disposable | undefined;
  #pollMs = FIRST_POLL_MS;

  constructor(file: string, options: TranscriptTailOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Reads what is there, and from now on whatever comes. The file need not exist yet. */
  start(): void {
    this.#poll();
  }

  /** Reads what is there now. */
  async read(): Promise<void> {
    // Many notifications while one read is under way need one more read, not many.
    if (this.#isReadWanted) return this.#reads.queue(async () => {});
    this.#isReadWanted = true;
    await this.#reads.queue(async () => {
      this.#isReadWanted = false;
      if (!this.#isDisposed) await this.#readAll();
    });
  }

  /** Reads to the end, hands over what follows the last line end too, and lets go of the file. */
  async finish(): Promise<void> {
    await this.read();
    if (this.#partialBytes > 0) this.#emitLine();
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
      const isBusy = this.#offset !== before;
      this.#pollMs = isBusy ? FIRST_POLL_MS : Math.min(LAST_POLL_MS, this.#pollMs * POLL_GROWTH);
      this.#schedule();
    });
  }

  #schedule(): void {
    this.#timer?.dispose();
    const { timers = backgroundTimers } = this.#options;
    this.#timer = timers.schedule(this.#pollMs, () => this.#poll());
  }

  /** The folder, since the file may come, go and come again. */
  #watch(): void {
    if (this.#watcher || this.#isDisposed) return;
    const name = path.basename(this.#file);
    try {
      this.#watcher = watch(path.dirname(this.#file), { persistent: false }, (_event, changed) => {
        if (changed !== null && changed !== name) return;
        this.#pollMs = FIRST_POLL_MS;
        void this.read();
        this.#schedule();
      });
      this.#watcher.on('error', () => {
        this.#watcher?.close();
        this.#watcher = undefined;
      });
    } catch {
      // The folder is not there yet: the next poll tries again.
    }
  }

  async #readAll(): Promise<void> {
    try {
      await this.#follow();
      this.#isTroubled = false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      if (!this.#isTroubled) this.#options.onTrouble?.(error);
      this.#isTroubled = true;
    }
  }

  async #follow(): Promise<void> {
    const found = await stat(this.#file, { bigint: true });
    if (this.#handle && found.ino !== this.#inode) {
      // Replaced: what was still written to the old one comes first.
      await this.#readHandle();
      await this.#close();
      this.#restart();
    }
    if (!this.#handle) {
      this.#handle = await open(this.#file, 'r');
      this.#inode = (await this.#handle.stat({ bigint: true })).ino;
    }
    const { size } = await this.#handle.stat();
    // Unchanged, which is nearly always: nothing to read.
    if (size === this.#offset) return;
    if (size < this.#offset || !(await this.#isSameFile())) this.#restart();
    await this.#readHandle();
  }

  /** Whether what was read last is still there. */
  async #isSameFile(): Promise<boolean> {
    const mark = this.#mark;
    if (mark.length === 0) return true;
    const there = Buffer.alloc(mark.length);
    const { bytesRead } = await this.#handle!.read(
      there,
      0,
      mark.length,
      this.#offset - mark.length,
    );
    return bytesRead === mark.length && there.equals(mark);
  }

  async #readHandle(): Promise<void> {
    // Only while there is something to read: most sessions sleep most of the time.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.#handle!.read(chunk, 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0 || this.#isDisposed) return;
      this.#offset += bytesRead;
      const bytes = chunk.subarray(0, bytesRead);
      this.#mark = Buffer.from(
        Buffer.concat([this.#mark, bytes.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES),
      );
      this.#take(bytes);
    }
  }

  #take(bytes: Buffer): void {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#keep(bytes.subarray(start, end));
      this.#emitLine();
      start = end + 1;
    }
    // The chunk is used again: what is left of a line has to be copied.
    if (start < bytes.length) this.#keep(Buffer.from(bytes.subarray(start)));
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#isTooLong) return;
    this.#partial.push(bytes);
    this.#partialBytes += bytes.length;
    if (this.#partialBytes <= MAX_LINE_BYTES) return;
    this.#isTooLong = true;
    this.#partial = [];
    this.#options.onTooLong?.();
  }

  /** Bytes become text only here, where no character can be cut in two. */
  #emitLine(): void {
    const line = this.#isTooLong ? undefined : Buffer.concat(this.#partial).toString('utf8');
    this.#partial = [];
    this.#partialBytes = 0;
    this.#isTooLong = false;
    if (line !== undefined) this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #restart(): void {
    this.#offset = 0;
    this.#mark = Buffer.alloc(0);
    this.#partial = [];
    this.#partialBytes = 0;
    this.#isTooLong = false;
    this.#options.onRestart?.();
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}
