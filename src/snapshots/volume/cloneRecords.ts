import { errorCode, UserError } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import { statIfThere } from '../common/folders.ts';
import { joinPath } from '../common/posixPath.ts';
import { hashOf } from './storageKey.ts';

export interface CloneRecord {
  readonly destination: string;
  /** What to remove: a path, or the name of a dataset. */
  readonly place: string;
}

/**
 * Records of our clones: only recorded clones can be removed. A record is written before its clone
 * is created, so that a killed process leaves no unknown clone.
 */
export class CloneRecords {
  readonly #files: Files;
  readonly #folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  async add(record: CloneRecord): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(record));
    const write = () => this.#files.write(this.#fileOf(record.destination), bytes);
    try {
      await write();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await this.#files.makeFolder(this.#folder);
      await write();
    }
  }

  /** @throws UserError `not-a-clone` */
  async get(destination: string): Promise<CloneRecord> {
    const record = await this.find(destination);
    if (record) return record;
    throw new UserError('not-a-clone', `${destination} is not a clone of a snapshot.`);
  }

  async find(destination: string): Promise<CloneRecord | undefined> {
    const file = this.#fileOf(destination);
    if ((await statIfThere(this.#files, file)) === undefined) return undefined;
    const record = parseRecord(new TextDecoder().decode(await this.#files.read(file)));
    return record?.destination === destination ? record : undefined;
  }

  async delete(destination: string): Promise<void> {
    await this.#files.removeTree(this.#fileOf(destination));
  }

  #fileOf(destination: string): string {
    return joinPath(this.#folder, `${hashOf(destination)}.json`);
  }
}

function parseRecord(text: string): CloneRecord | undefined {
  try {
    const { destination, place } = JSON.parse(text) as Partial<Record<keyof CloneRecord, unknown>>;
    if (typeof destination !== 'string' || typeof place !== 'string') return undefined;
    return { destination, place };
  } catch {
    return undefined; // A damaged record.
  }
}
