import { errorCode } from '../../../base/errors.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  decodeSnapshotLines,
  encodeSnapshotLine,
  type SnapshotLine,
} from '../../common/snapshotLine.ts';
import { syncFolder } from '../../../platform/node/files/atomicFile.ts';
import { LineFile } from '../../../platform/node/files/lineFile.ts';

export const SNAPSHOTS_FILE = 'session.snapshots.jsonl';

/**
 * Writes `session.snapshots.jsonl`. Lines are on disk when {@link append} returns, unless all of
 * them are pending: those promise nothing.
 */
export class SnapshotsFile {
  readonly #lines: LineFile;

  private constructor(lines: LineFile) {
    this.#lines = lines;
  }

  static async open(sessionFolder: string): Promise<SnapshotsFile> {
    const file = new SnapshotsFile(await LineFile.open(path.join(sessionFolder, SNAPSHOTS_FILE)));
    await syncFolder(sessionFolder);
    return file;
  }

  append(...lines: readonly SnapshotLine[]): Promise<void> {
    const text = lines.map((line) => `${encodeSnapshotLine(line)}\n`).join('');
    const isSynced = lines.some(({ files }) => files.state !== 'pending');
    return this.#lines.append(text, { isSynced });
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}

/** Reads the snapshots of a session; none if there is no such file. */
export async function readSnapshots(sessionFolder: string): Promise<SnapshotLine[]> {
  try {
    return decodeSnapshotLines(await readFile(path.join(sessionFolder, SNAPSHOTS_FILE), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
