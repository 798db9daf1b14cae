import type { Files, Processes } from '../common/ports.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';
import type { CloneRequest } from '../common/provider.ts';
import { CloneClaims, destinationExists, isTaken } from './cloneClaims.ts';
import { CloneRecords } from './cloneRecords.ts';
import { statIfThere } from '../common/folders.ts';
import { explained } from './tool.ts';

interface ClonePorts {
  readonly files: Files;
  readonly processes: Processes;
  readonly privateFolder: string;
}

/** What the clones of Btrfs and ZFS snapshots share: claims, records and cleanup. */
export abstract class VolumeClones<S> {
  protected readonly files: Files;
  protected readonly records: CloneRecords;
  readonly #claims: CloneClaims;

  /** @param name the folder for claims and records */
  constructor({ files, processes, privateFolder }: ClonePorts, name: string) {
    const folder = joinPath(privateFolder, name);
    this.files = files;
    this.records = new CloneRecords(files, folder);
    this.#claims = new CloneClaims({ files, processes }, folder);
  }

  /** Where the clone is going to be: a path, or the name of a dataset. */
  protected abstract placeFor(destination: string, snapshot: S): string;
  /** Whether an earlier clone still exists, although nothing is at its destination. */
  protected abstract isLeft(place: string): Promise<boolean>;
  /** Creates the clone and returns its workspace folder. */
  protected abstract create(request: CloneRequest, snapshot: S): Promise<string>;
  protected abstract removePlace(place: string, destination: string): Promise<void>;

  /** @throws UserError `destination-exists`, also while another process makes a clone there */
  async make(request: CloneRequest, snapshot: S): Promise<{ readonly workspace: string }> {
    const { destination } = request;
    try {
      return await this.#claims.exclusively(destination, async () => {
        await this.#checkFree(destination);
        return { workspace: await this.#makeAlone(request, snapshot) };
      });
    } catch (error) {
      throw explained(error, 'clone-failed', `Can't clone the snapshot to ${destination}`);
    }
  }

  /** Throws if the destination exists, because tools would create the clone inside that folder. */
  async #checkFree(destination: string): Promise<void> {
    const [stat, record] = await Promise.all([
      statIfThere(this.files, destination),
      this.records.find(destination),
    ]);
    const isLeft = record && (await this.isLeft(record.place));
    if (stat !== undefined || isLeft) throw destinationExists(destination);
  }

  async #makeAlone(request: CloneRequest, snapshot: S): Promise<string> {
    const { destination } = request;
    await Promise.all([
      this.files.makeFolder(parentOf(destination)),
      this.records.add({ destination, place: this.placeFor(destination, snapshot) }),
    ]);
    try {
      return await this.create(request, snapshot);
    } catch (error) {
      // The destination was created by a process with another data folder: don't remove it.
      if (isTaken(error)) await this.records.delete(destination);
      else await this.#remove(destination);
      throw error;
    }
  }

  async remove(destination: string): Promise<void> {
    await this.#remove(destination);
    await this.#claims.tidy(destination);
  }

  async #remove(destination: string): Promise<void> {
    const { place } = await this.records.get(destination);
    try {
      await this.removePlace(place, destination);
    } catch (error) {
      throw explained(error, 'remove-failed', `${destination} cannot be removed`);
    }
    await this.records.delete(destination);
  }
}
