import { UserError } from '../../../base/errors.ts';
import type { Files } from '../../ports.ts';
import { errorCode } from '../volume/errorCode.ts';
import { folderNames, statIfThere } from '../volume/folders.ts';
import { joinPath } from '../volume/posixPath.ts';
import type { BtrfsTool } from './btrfsTool.ts';

/** The name of the subvolume that holds our snapshots: one of its own, so that snapshots of what is around it do not have them. */
export const STORE_NAME = '.ah-snapshots';

const NOTE_NAME = 'snapshot.json';
const FILES_NAME = 'files';
const REF = /^[A-Za-z0-9_]{1,32}-[0-9a-f]{16}\/[A-Za-z0-9_-]{1,128}$/;

/** What is known of a snapshot beside its files. */
export interface SnapshotNote {
  readonly workspace: string;
  /** The workspace's place in the subvolume at that time. */
  readonly folder: string;
  readonly label: string;
  /** Subvolumes in the workspace, which the snapshot does not have. */
  readonly nested: readonly string[];
}

/** A snapshot's own folder in a store. */
export interface Slot {
  readonly folder: string;
  /** The read-only subvolume. */
  readonly files: string;
  readonly note: string;
}

/** A store on disk: `KEY/NAME/files` is the snapshot, `KEY/NAME/snapshot.json` its note, written before. */
export class BtrfsStore {
  readonly folder: string;
  readonly #files: Files;
  readonly #tool: BtrfsTool;

  constructor(files: Files, tool: BtrfsTool, folder: string) {
    this.#files = files;
    this.#tool = tool;
    this.folder = folder;
  }

  slotOf(ref: string): Slot {
    if (!REF.test(ref))
      throw new UserError('bad-ref', `${ref} is not the name of a Btrfs snapshot.`);
    const folder = joinPath(this.folder, ref);
    return { folder, files: `${folder}/${FILES_NAME}`, note: `${folder}/${NOTE_NAME}` };
  }

  async has(ref: string): Promise<boolean> {
    return (await statIfThere(this.#files, this.slotOf(ref).folder)) !== undefined;
  }

  /** @throws UserError `snapshot-exists` */
  async reserve(ref: string, note: SnapshotNote): Promise<Slot> {
    const slot = this.slotOf(ref);
    if (await this.has(ref)) {
      throw new UserError('snapshot-exists', `There is a snapshot ${ref} already.`);
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

  /** Undefined for what an interrupted work left, or nothing at all. */
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

  /** Of all workspaces. */
  async allRefs(): Promise<string[]> {
    const refs: string[] = [];
    for (const key of await folderNames(this.#files, this.folder))
      refs.push(...(await this.refs(key)));
    return refs;
  }

  /** The snapshot taken last. */
  async newest(key: string): Promise<string | undefined> {
    let newest: { readonly ref: string; readonly takenNs: bigint } | undefined;
    for (const ref of await this.refs(key)) {
      const stat = await statIfThere(this.#files, this.slotOf(ref).note);
      if (stat !== undefined && stat.mtimeNs >= (newest?.takenNs ?? 0n)) {
        newest = { ref, takenNs: stat.mtimeNs };
      }
    }
    return newest?.ref;
  }

  /** The note goes last but for its folder: what an interruption leaves is still listed and can be removed again. */
  async remove(ref: string): Promise<void> {
    const slot = this.slotOf(ref);
    if ((await statIfThere(this.#files, slot.files)) !== undefined) {
      await this.#tool.deleteSubvolume(slot.files);
    }
    await this.#files.removeTree(slot.folder);
  }
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
    return undefined;
  }
}
