import type { Clock } from '../../base/clock.ts';
import { errorCode, UserError } from '../../base/errors.ts';
import type { Files } from '../common/ports.ts';
import { folderNames, statIfThere } from '../common/folders.ts';
import { NewestSnapshot } from '../volume/newestSnapshot.ts';
import { retryWhileInUse } from '../volume/retryWhileInUse.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import type { VolumeSnapshot } from '../volume/volumeProvider.ts';
import type { BtrfsTool } from './btrfsTool.ts';

/**
 * Name of the subvolume that holds our snapshots. It is a subvolume so that snapshots of the
 * subvolume around it don't contain them.
 */
export const STORE_NAME = '.ah-snapshots';

const NOTE_NAME = 'snapshot.json';
const FILES_NAME = 'files';
const NEWEST_NAME = 'newest';
const REF = /^[A-Za-z0-9_]{1,32}-[0-9a-f]{16}\/[A-Za-z0-9_-]{1,128}$/;

/** The facts stored beside a snapshot's files. */
export interface SnapshotNote {
  readonly workspace: string;
  /** The workspace's path in the subvolume when the snapshot was taken. */
  readonly folder: string;
  readonly label: string;
  /** Nested subvolumes in the workspace, which the snapshot lacks. */
  readonly nested: readonly string[];
}

/** A snapshot's own folder in a store. */
export interface Slot {
  readonly folder: string;
  /** The read-only subvolume. */
  readonly files: string;
  readonly note: string;
}

/** An existing snapshot. */
export interface BtrfsSnapshot extends VolumeSnapshot {
  readonly ref: string;
  readonly slot: Slot;
  readonly note: SnapshotNote;
}

interface StorePorts {
  readonly files: Files;
  readonly tool: BtrfsTool;
  readonly clock: Clock;
}

/**
 * A store on disk: `KEY/NAME/files` is the snapshot, `KEY/NAME/snapshot.json` its note, which is
 * written first. `KEY/newest` names the snapshot that the next one is compared with.
 */
export class BtrfsStore {
  readonly folder: string;
  readonly #files: Files;
  readonly #tool: BtrfsTool;
  readonly #clock: Clock;

  constructor({ files, tool, clock }: StorePorts, folder: string) {
    this.#files = files;
    this.#tool = tool;
    this.#clock = clock;
    this.folder = folder;
  }

  slotOf(ref: string): Slot {
    if (!REF.test(ref))
      throw new UserError('bad-ref', `${ref} is not the name of a Btrfs snapshot.`);
    const folder = joinPath(this.folder, ref);
    return { folder, files: `${folder}/${FILES_NAME}`, note: `${folder}/${NOTE_NAME}` };
  }

  has(ref: string): Promise<boolean> {
    return this.#isThere(this.slotOf(ref).folder);
  }

  /** Whether the snapshot exists with its files. */
  isWhole(ref: string): Promise<boolean> {
    return this.#isThere(this.slotOf(ref).files);
  }

  async #isThere(path: string): Promise<boolean> {
    return (await statIfThere(this.#files, path)) !== undefined;
  }

  /** @throws UserError `snapshot-exists` */
  async reserve(ref: string, note: SnapshotNote): Promise<Slot> {
    const slot = this.slotOf(ref);
    if (await this.has(ref)) {
      throw new UserError('snapshot-exists', `Snapshot ${ref} already exists.`);
    }
    try {
      await this.#files.makeFolder(slot.folder);
      await this.writeNote(slot, note);
    } catch (error) {
      await this.#files.removeTree(slot.folder);
      throw error;
    }
    return slot;
  }

  async writeNote(slot: Slot, note: SnapshotNote): Promise<void> {
    await this.#files.write(slot.note, new TextEncoder().encode(JSON.stringify(note)));
  }

  async syncNote(slot: Slot): Promise<void> {
    await this.#files.sync(slot.note);
  }

  /** Returns undefined if there is no valid note, for example after an interruption. */
  async readNote(slot: Slot): Promise<SnapshotNote | undefined> {
    try {
      return parseNote(new TextDecoder().decode(await this.#files.read(slot.note)));
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  async refs(key: string): Promise<string[]> {
    const names = await folderNames(this.#files, joinPath(this.folder, key));
    return names.map((name) => `${key}/${name}`).filter((ref) => REF.test(ref));
  }

  /** Lists the references of all workspaces. */
  async allRefs(): Promise<string[]> {
    const refs: string[] = [];
    for (const key of await folderNames(this.#files, this.folder))
      refs.push(...(await this.refs(key)));
    return refs;
  }

  newest(key: string): NewestSnapshot {
    return new NewestSnapshot(this.#files, joinPath(this.folder, `${key}/${NEWEST_NAME}`));
  }

  /** Lists snapshots with their times, oldest first. Skips those without a note. */
  async dated(key: string): Promise<{ readonly ref: string; readonly takenNs: bigint }[]> {
    const dated: { ref: string; takenNs: bigint }[] = [];
    for (const ref of await this.refs(key)) {
      const stat = await statIfThere(this.#files, this.slotOf(ref).note);
      if (stat !== undefined) dated.push({ ref, takenNs: stat.mtimeNs });
    }
    return dated.sort((a, b) => (a.takenNs < b.takenNs ? -1 : a.takenNs > b.takenNs ? 1 : 0));
  }

  /**
   * Other processes may remove the same snapshot meanwhile. The note is deleted last, so that a
   * snapshot whose removal was interrupted is still listed and can be removed again.
   */
  async remove(ref: string): Promise<void> {
    const slot = this.slotOf(ref);
    await this.newest(parentOf(ref)).forget(ref);
    await retryWhileInUse(this.#clock, isInUse, () => this.#deleteFiles(slot));
    await this.#files.removeTree(slot.folder);
  }

  async #deleteFiles({ files }: Slot): Promise<void> {
    if (!(await this.#isThere(files))) return;
    try {
      await this.#tool.deleteSubvolume(files);
    } catch (error) {
      if (await this.#isThere(files)) throw error;
    }
  }
}

/** If a snapshot is in use, Btrfs reports that the user lacks permission. */
function isInUse(error: unknown): boolean {
  return error instanceof ToolFailure && /not permitted/.test(error.message);
}

function parseNote(text: string): SnapshotNote | undefined {
  try {
    const note = JSON.parse(text) as Partial<Record<keyof SnapshotNote, unknown>>;
    const { workspace, folder, label, nested } = note;
    if (typeof workspace !== 'string' || typeof folder !== 'string') return undefined;
    if (typeof label !== 'string' || !Array.isArray(nested)) return undefined;
    const names = nested.filter((name): name is string => typeof name === 'string');
    return { workspace, folder, label, nested: names };
  } catch {
    return undefined; // A damaged note.
  }
}
