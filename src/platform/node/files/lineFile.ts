import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Sequencer } from '../../../base/sequencer.ts';

const NEWLINE = 0x0a;

/**
 * Appends lines to a file with a single write, so that readers see whole lines. If a full disk or a
 * crash has left an incomplete line, ends it first. Lines that could not be written are written
 * again together with the next ones.
 */
export class LineFile {
  readonly #handle: FileHandle;
  readonly #order = new Sequencer();
  /** Lines that did not fit on the disk. */
  #unwritten = '';

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Creates the file with access for its owner only, if there is none. */
  static async open(file: string): Promise<LineFile> {
    return new LineFile(await open(file, 'a+', 0o600));
  }

  /**
   * @param lines each ends with a line feed
   * @throws if the lines can't be written; the next call writes them again
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
      // On failure, the callers of `append` have received the error already.
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
 * Appends lines to a file once, synchronously, and ends an incomplete line first.
 * @throws if the lines can't be written
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
