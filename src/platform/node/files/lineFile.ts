import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Sequencer } from '../../../base/sequencer.ts';

const NEWLINE = 0x0a;

/**
 * A file of lines that is only ever added to, each time by a single write: who reads meanwhile sees whole lines. Where a full disk
 * took a part of a line, or a crash did, the part is ended before the next one, and what did not fit is tried again with that.
 */
export class LineFile {
  readonly #handle: FileHandle;
  readonly #order = new Sequencer();
  /** What the disk had no room for. */
  #unwritten = '';

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** For its owner alone. */
  static async open(file: string): Promise<LineFile> {
    return new LineFile(await open(file, 'a+', 0o600));
  }

  /**
   * @param lines each with its end
   * @throws when the disk did not take them; they are written with the next ones
   */
  append(lines: string, { isSynced = false } = {}): Promise<void> {
    return this.#order.queue(async () => {
      this.#unwritten += lines;
      await this.#flush();
      if (isSynced) await this.#handle.datasync();
    });
  }

  close(): Promise<void> {
    return this.#order.queue(async () => {
      // Who wrote them has been told that they did not fit.
      if (this.#unwritten !== '') await this.#flush().catch(() => undefined);
      await this.#handle.close();
    });
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(`${(await this.#isTorn()) ? '\n' : ''}${this.#unwritten}`);
    const { bytesWritten } = await this.#handle.write(bytes);
    if (bytesWritten < bytes.length) throw noSpace();
    this.#unwritten = '';
  }

  async #isTorn(): Promise<boolean> {
    const { size } = await this.#handle.stat();
    if (size === 0) return false;
    const { buffer } = await this.#handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] !== NEWLINE;
  }
}

/**
 * Adds lines to such a file at once, for whoever has nothing more to say.
 * @throws when the disk did not take them
 */
export function appendLinesNow(file: string, lines: string): void {
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1, NEWLINE);
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    const bytes = Buffer.from(`${last[0] === NEWLINE ? '' : '\n'}${lines}`);
    if (writeSync(descriptor, bytes) < bytes.length) throw noSpace();
  } finally {
    closeSync(descriptor);
  }
}

function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}
