import { UserError } from '../../../base/errors.ts';
import type { Files } from '../../ports.ts';
import type { CloneRequest } from '../../provider.ts';
import { CloneRecords } from '../volume/cloneRecords.ts';
import { statIfThere } from '../volume/folders.ts';
import { joinPath, parentOf } from '../volume/posixPath.ts';
import { explained, ToolFailure } from '../volume/tool.ts';
import { hashOf } from '../volume/workspaceKey.ts';
import { STUB_INODE, SUBVOLUME_INODE, type BtrfsTool } from './btrfsTool.ts';
import type { SnapshotNote } from './store.ts';

interface ClonePorts {
  readonly files: Files;
  readonly tool: BtrfsTool;
  readonly privateFolder: string;
}

/** Writable snapshots of snapshots. */
export class BtrfsClones {
  readonly #files: Files;
  readonly #tool: BtrfsTool;
  readonly #records: CloneRecords;
  readonly #storeFolder: string;

  constructor({ files, tool, privateFolder }: ClonePorts, storeFolder: string) {
    this.#files = files;
    this.#tool = tool;
    this.#records = new CloneRecords(files, joinPath(privateFolder, 'btrfs-clones'));
    this.#storeFolder = storeFolder;
  }

  /** @throws UserError when there is something; a copy would go into it */
  async checkFree(destination: string): Promise<void> {
    if ((await statIfThere(this.#files, destination)) === undefined) return;
    throw new UserError('destination-exists', `${destination} exists already.`);
  }

  /** @param request whose destination is free */
  async make(
    { destination, signal, onDidBegin }: CloneRequest,
    snapshot: string,
    note: SnapshotNote,
  ): Promise<{ readonly workspace: string }> {
    try {
      await Promise.all([
        this.#files.makeFolder(parentOf(destination)),
        this.#records.add({ destination, place: destination }),
      ]);
    } catch (error) {
      throw explained(error, 'clone-failed', `No copy of the snapshot at ${destination}`);
    }
    try {
      const placing = this.#place(snapshot, destination, signal);
      onDidBegin?.();
      const place = await placing;
      await this.#replaceStubs(joinPath(place, note.folder), note.nested);
      return { workspace: joinPath(place, note.folder) };
    } catch (error) {
      await this.remove(destination);
      throw explained(error, 'clone-failed', `No copy of the snapshot at ${destination}`);
    }
  }

  /** At the destination, if that is on the same file system; otherwise beside the snapshots, with a link to it. */
  async #place(snapshot: string, destination: string, signal: AbortSignal): Promise<string> {
    try {
      await this.#tool.writableSnapshot(snapshot, destination, signal);
      return destination;
    } catch (error) {
      if (!(error instanceof ToolFailure) || !isOtherFileSystem(error)) throw error;
    }
    const place = `${this.#storeFolder}/clones/${hashOf(destination)}`;
    await this.#files.makeFolder(parentOf(place));
    await this.#records.add({ destination, place });
    await this.#tool.writableSnapshot(snapshot, place, signal);
    await this.#files.link(place, destination);
    return place;
  }

  /** What stands for a subvolume inside takes no files: put a plain folder there. */
  async #replaceStubs(root: string, nested: readonly string[]): Promise<void> {
    for (const path of nested) {
      const stub = joinPath(root, path);
      const stat = await this.#files.stat(stub);
      if (stat.inode !== STUB_INODE) continue;
      await this.#files.remove(stub);
      await this.#files.makeFolder(stub);
      await this.#files.setMode(stub, stat.mode);
    }
  }

  async remove(destination: string): Promise<void> {
    const { place } = await this.#records.get(destination);
    const stat = await statIfThere(this.#files, place);
    if (stat?.kind === 'folder') {
      if (stat.inode !== SUBVOLUME_INODE) {
        throw new UserError('not-a-clone', `${place} is no longer the copy that was made there.`);
      }
      await this.#tool.deleteSubvolume(place).catch((error: unknown) => {
        throw explained(error, 'remove-failed', `${destination} cannot be removed`);
      });
    }
    if (place !== destination) {
      const link = await statIfThere(this.#files, destination);
      if (link?.kind === 'symlink') await this.#files.remove(destination);
    }
    await this.#records.delete(destination);
  }
}

function isOtherFileSystem(error: ToolFailure): boolean {
  return /cross-device|not a btrfs filesystem/i.test(error.message);
}
