import { open, readFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../../base/sequencer.ts';
import {
  decodeSnapshotLines,
  encodeSnapshotLine,
  type SnapshotLine,
} from '../../snapshots/snapshotLine.ts';

export const SNAPSHOTS_FILE = 'session.snapshots.jsonl';
const NEWLINE = 0x0a;

/** `session.snapshots.jsonl`: each line appended by a single write, and on disk when that returns. */
export class SnapshotsFile {
  readonly #handle: FileHandle;
  readonly #order = new Sequencer();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(sessionFolder: string): Promise<SnapshotsFile> {
    const handle = await open(path.join(sessionFolder, SNAPSHOTS_FILE), 'a+', 0o600);
    const file = new SnapshotsFile(handle);
    // A line that a crash tore is ended, so that the next one is whole.
    if (await file.#isTorn()) await handle.write('\n');
    return file;
  }

  append(line: SnapshotLine): Promise<void> {
    return this.#order.queue(async () => {
      await this.#handle.write(`${encodeSnapshotLine(line)}\n`);
      await this.#handle.datasync();
    });
  }

  close(): Promise<void> {
    return this.#order.queue(() => this.#handle.close());
  }

  async #isTorn(): Promise<boolean> {
    const { size } = await this.#handle.stat();
    if (size === 0) return false;
    const { buffer } = await this.#handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] !== NEWLINE;
  }
}

/** None when there is no such file. */
export async function readSnapshots(sessionFolder: string): Promise<SnapshotLine[]> {
  try {
    return decodeSnapshotLines(await readFile(path.join(sessionFolder, SNAPSHOTS_FILE), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
