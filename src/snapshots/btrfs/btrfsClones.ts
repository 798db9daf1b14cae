import { UserError } from '../../base/errors.ts';
import type { Files, Processes } from '../common/ports.ts';
import type { CloneRequest } from '../common/provider.ts';
import { CloneClaims, destinationExists, isTaken } from '../volume/cloneClaims.ts';
import { CloneRecords } from '../volume/cloneRecords.ts';
import { statIfThere } from '../volume/folders.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';
import { explained, ToolFailure } from '../volume/tool.ts';
import { hashOf } from '../volume/workspaceKey.ts';
import { STUB_INODE, SUBVOLUME_INODE, type BtrfsTool } from './btrfsTool.ts';
import type { SnapshotNote } from './store.ts';

/** Folders do not go as often as that. */
const MAX_TRIES = 5;

interface ClonePorts {
  readonly files: Files;
  readonly processes: Processes;
  readonly tool: BtrfsTool;
  readonly privateFolder: string;
}

/** Writable snapshots of snapshots. */
export class BtrfsClones {
  readonly #files: Files;
  readonly #tool: BtrfsTool;
  readonly #claims: CloneClaims;
  readonly #records: CloneRecords;
  readonly #storeFolder: string;

  constructor({ files, processes, tool, privateFolder }: ClonePorts, storeFolder: string) {
    const folder = joinPath(privateFolder, 'btrfs-clones');
    this.#files = files;
    this.#tool = tool;
    this.#claims = new CloneClaims({ files, processes }, folder);
    this.#records = new CloneRecords(files, folder);
    this.#storeFolder = storeFolder;
  }

  /** @throws UserError `destination-exists`, also while somebody else makes one there */
  async make(
    request: CloneRequest,
    snapshot: string,
    note: SnapshotNote,
  ): Promise<{ readonly workspace: string }> {
    const { destination } = request;
    try {
      return await this.#claims.alone(destination, async () => {
        await this.#checkFree(destination);
        return this.#makeAlone(request, snapshot, note);
      });
    } catch (error) {
      throw explained(error, 'clone-failed', `No copy of the snapshot at ${destination}`);
    }
  }

  /** Where there is something, a copy would go into it. */
  async #checkFree(destination: string): Promise<void> {
    const [stat, record] = await Promise.all([
      statIfThere(this.#files, destination),
      this.#records.find(destination),
    ]);
    const isLeft = record && (await statIfThere(this.#files, record.place)) !== undefined;
    if (stat !== undefined || isLeft) throw destinationExists(destination);
  }

  async #makeAlone(
    { destination, signal, onDidBegin }: CloneRequest,
    snapshot: string,
    note: SnapshotNote,
  ): Promise<{ readonly workspace: string }> {
    await Promise.all([
      this.#files.makeFolder(parentOf(destination)),
      this.#records.add({ destination, place: destination }),
    ]);
    try {
      const placing = this.#place(snapshot, destination, signal);
      onDidBegin?.();
      const place = await placing;
      await this.#replaceStubs(joinPath(place, note.folder), note.nested);
      return { workspace: joinPath(place, note.folder) };
    } catch (error) {
      // What is there is somebody else's, who has his data in another folder.
      if (isTaken(error)) await this.#records.delete(destination);
      else await this.#remove(destination);
      throw error;
    }
  }

  /** At the destination, if that is on the same file system; otherwise beside the snapshots, with a link to it. */
  async #place(snapshot: string, destination: string, signal: AbortSignal): Promise<string> {
    try {
      await this.#placeThere(snapshot, destination, signal);
      return destination;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (saysTaken(error)) throw destinationExists(destination);
      if (!isOtherFileSystem(error)) throw error;
    }
    const place = `${this.#storeFolder}/clones/${hashOf(destination)}`;
    await this.#files.makeFolder(parentOf(place));
    await this.#records.add({ destination, place });
    await this.#tool.writableSnapshot(snapshot, place, signal);
    await this.#files.makeFolder(parentOf(destination));
    await this.#files.link(place, destination);
    return place;
  }

  /** The folder around it may go meanwhile: with another clone, the last in it, that is taken back or removed. */
  async #placeThere(snapshot: string, destination: string, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#tool.writableSnapshot(snapshot, destination, signal);
      } catch (error) {
        const isMissing = error instanceof ToolFailure && saysMissing(error);
        if (!isMissing || tries === MAX_TRIES) throw error;
        await this.#files.makeFolder(parentOf(destination));
      }
    }
  }

  /** What stands for a subvolume inside takes no files: put a plain folder there. */
  async #replaceStubs(root: string, nested: readonly string[]): Promise<void> {
    for (const path of nested) {
      const stub = joinPath(root, path);
      const stat = await this.#files.stat(stub);
      // Untested: a folder that is no stub stays as the snapshot has it.
      if (stat.inode !== STUB_INODE) continue;
      await this.#files.remove(stub);
      await this.#files.makeFolder(stub);
      await this.#files.setMode(stub, stat.mode);
    }
  }

  async remove(destination: string): Promise<void> {
    await this.#remove(destination);
    await this.#claims.tidy(destination);
  }

  async #remove(destination: string): Promise<void> {
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

function saysMissing(error: ToolFailure): boolean {
  return /: No such file or directory$/.test(error.message);
}

function saysTaken(error: ToolFailure): boolean {
  return /: File exists$|^target path already exists/.test(error.message);
}
