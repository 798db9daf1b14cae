import { UserError } from '../../base/errors.ts';
import type { Files, Processes } from '../common/ports.ts';
import type { CloneRequest } from '../common/provider.ts';
import { destinationExists } from '../volume/cloneClaims.ts';
import { statIfThere } from '../common/folders.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import { hashOf } from '../volume/storageKey.ts';
import { VolumeClones } from '../volume/volumeClones.ts';
import { STUB_INODE, SUBVOLUME_INODE, type BtrfsTool } from './btrfsTool.ts';
import type { BtrfsSnapshot } from './store.ts';

/** The destination's parent can be deleted between two tries, but hardly this often in a row. */
const MAX_TRIES = 5;

interface ClonePorts {
  readonly files: Files;
  readonly processes: Processes;
  readonly tool: BtrfsTool;
  readonly privateFolder: string;
}

/** Clones a Btrfs snapshot by taking a writable snapshot of it. */
export class BtrfsClones extends VolumeClones<BtrfsSnapshot> {
  readonly #tool: BtrfsTool;
  readonly #storeFolder: string;

  constructor(ports: ClonePorts, storeFolder: string) {
    super(ports, 'btrfs-clones');
    this.#tool = ports.tool;
    this.#storeFolder = storeFolder;
  }

  protected placeFor(destination: string): string {
    return destination;
  }

  protected async isLeft(place: string): Promise<boolean> {
    return (await statIfThere(this.files, place)) !== undefined;
  }

  protected async create(
    { destination, signal, onDidBegin }: CloneRequest,
    { top, note }: BtrfsSnapshot,
  ): Promise<string> {
    const placing = this.#place(top, destination, signal);
    onDidBegin?.();
    const workspace = joinPath(await placing, note.folder);
    await this.#replaceStubs(workspace, note.nested);
    return workspace;
  }

  /**
   * Creates the clone at the destination if the destination is on the same file system. Otherwise
   * creates it in the store, and a link to it at the destination.
   */
  async #place(snapshot: string, destination: string, signal: AbortSignal): Promise<string> {
    try {
      await this.#placeThere(snapshot, destination, signal);
      return destination;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (isTakenMessage(error)) throw destinationExists(destination);
      if (!isOtherFileSystem(error)) throw error;
    }
    const place = `${this.#storeFolder}/clones/${hashOf(destination)}`;
    await this.files.makeFolder(parentOf(place));
    await this.records.add({ destination, place });
    await this.#tool.writableSnapshot(snapshot, place, signal);
    await this.files.makeFolder(parentOf(destination));
    await this.files.link(place, destination);
    return place;
  }

  /**
   * Retries if the destination's parent folder is deleted meanwhile, for example together with the
   * last other clone in it.
   */
  async #placeThere(snapshot: string, destination: string, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#tool.writableSnapshot(snapshot, destination, signal);
      } catch (error) {
        const isMissing = error instanceof ToolFailure && isMissingMessage(error);
        if (!isMissing || tries === MAX_TRIES) throw error;
        await this.files.makeFolder(parentOf(destination));
      }
    }
  }

  /**
   * Instead of nested subvolumes, a clone has placeholders, in which no file can be created.
   * Replaces them with plain folders.
   */
  async #replaceStubs(root: string, nested: readonly string[]): Promise<void> {
    for (const path of nested) {
      const stub = joinPath(root, path);
      const stat = await this.files.stat(stub);
      // Untested: a folder that is not a placeholder stays as it is in the snapshot.
      if (stat.inode !== STUB_INODE) continue;
      await this.files.remove(stub);
      await this.files.makeFolder(stub);
      await this.files.setMode(stub, stat.mode);
    }
  }

  protected async removePlace(place: string, destination: string): Promise<void> {
    const stat = await statIfThere(this.files, place);
    if (stat?.kind === 'folder') {
      if (stat.inode !== SUBVOLUME_INODE) {
        throw new UserError('not-a-clone', `${place} is no longer the clone that was made there.`);
      }
      await this.#tool.deleteSubvolume(place);
    }
    if (place === destination) return;
    const link = await statIfThere(this.files, destination);
    if (link?.kind === 'symlink') await this.files.remove(destination);
  }
}

function isOtherFileSystem(error: ToolFailure): boolean {
  return /cross-device|not a btrfs filesystem/i.test(error.message);
}

function isMissingMessage(error: ToolFailure): boolean {
  return /: No such file or directory$/.test(error.message);
}

function isTakenMessage(error: ToolFailure): boolean {
  return /: File exists$|^target path already exists/.test(error.message);
}
