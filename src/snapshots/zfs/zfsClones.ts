import type { Exec, Files, Processes } from '../common/ports.ts';
import type { CloneRequest } from '../common/provider.ts';
import { CloneClaims, destinationExists, isTaken } from '../volume/cloneClaims.ts';
import { CloneRecords } from '../volume/cloneRecords.ts';
import { statIfThere } from '../volume/folders.ts';
import { joinPath, parentOf } from '../common/posixPath.ts';
import { explained, ToolFailure } from '../volume/tool.ts';
import { hashOf } from '../volume/workspaceKey.ts';
import type { FoundSnapshot } from './snapshotName.ts';
import type { ZfsTool } from './zfsTool.ts';

interface ClonePorts {
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly tool: ZfsTool;
  readonly privateFolder: string;
}

/**
 * Writable copies of snapshots. Linux lets only root mount a dataset, so others get a copy of the workspace's files, which
 * shares their blocks where the pool can do that (OpenZFS 2.2).
 */
export class ZfsClones {
  readonly #exec: Exec;
  readonly #files: Files;
  readonly #tool: ZfsTool;
  readonly #claims: CloneClaims;
  readonly #records: CloneRecords;

  constructor({ exec, files, processes, tool, privateFolder }: ClonePorts) {
    const folder = joinPath(privateFolder, 'zfs-clones');
    this.#exec = exec;
    this.#files = files;
    this.#tool = tool;
    this.#claims = new CloneClaims({ files, processes }, folder);
    this.#records = new CloneRecords(files, folder);
  }

  /** @throws UserError `destination-exists`, also while somebody else makes one there */
  async make(request: CloneRequest, from: FoundSnapshot): Promise<{ readonly workspace: string }> {
    const { destination } = request;
    try {
      return await this.#claims.alone(destination, async () => {
        await this.#checkFree(destination);
        return this.#makeAlone(request, from);
      });
    } catch (error) {
      throw explained(error, 'clone-failed', `No copy of the snapshot at ${destination}`);
    }
  }

  /** A dataset that was made for it may not be mounted. */
  async #checkFree(destination: string): Promise<void> {
    const [stat, record] = await Promise.all([
      statIfThere(this.#files, destination),
      this.#records.find(destination),
    ]);
    const isLeft = record && !isPath(record.place) && (await this.#tool.exists(record.place));
    if (stat !== undefined || isLeft) throw destinationExists(destination);
  }

  async #makeAlone(
    { destination, signal, onDidBegin }: CloneRequest,
    from: FoundSnapshot,
  ): Promise<{ readonly workspace: string }> {
    const clone = `${from.dataset.name}/ah-clone-${hashOf(destination)}`;
    await this.#files.makeFolder(parentOf(destination));
    await this.#records.add({ destination, place: clone });
    try {
      const mounting = this.#mountClone(from, clone, destination, signal);
      onDidBegin?.();
      if (await mounting) {
        return { workspace: joinPath(destination, from.folder) };
      }
      await this.#records.add({ destination, place: destination });
      await this.#copy(from.root, destination, signal);
      return { workspace: destination };
    } catch (error) {
      // What is there is somebody else's, who has his data in another folder.
      if (isTaken(error)) await this.#records.delete(destination);
      else await this.#remove(destination);
      throw error;
    }
  }

  /** False when this user may not, and then nothing is left of it. */
  async #mountClone(
    { dataset, snapshot }: FoundSnapshot,
    clone: string,
    destination: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      await this.#tool.clone(`${dataset.name}@${snapshot}`, clone, destination, signal);
      return true;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (saysTaken(error)) throw destinationExists(destination);
      await this.#destroy(clone, destination);
      if (!/permission denied|only be mounted by root/i.test(error.message)) throw error;
      return false;
    }
  }

  async #copy(source: string, destination: string, signal: AbortSignal): Promise<void> {
    await this.#files.makeFolder(destination);
    const args = ['-a', '--reflink=auto', '--', `${source}/.`, destination];
    const { exitCode, stderr } = await this.#exec('cp', args, { cwd: '/', signal });
    if (exitCode !== 0) throw new ToolFailure(stderr.trim().split('\n')[0] ?? 'cp failed');
  }

  async remove(destination: string): Promise<void> {
    await this.#remove(destination);
    await this.#claims.tidy(destination);
  }

  async #remove(destination: string): Promise<void> {
    const { place } = await this.#records.get(destination);
    try {
      if (isPath(place)) await this.#files.removeTree(place);
      else await this.#destroy(place, destination);
    } catch (error) {
      throw explained(error, 'remove-failed', `${destination} cannot be removed`);
    }
    await this.#records.delete(destination);
  }

  async #destroy(clone: string, destination: string): Promise<void> {
    if (await this.#tool.exists(clone)) await this.#tool.destroyClone(clone);
    // The folder it was mounted on, empty now, if the system left it there.
    const stat = await statIfThere(this.#files, destination);
    if (stat?.kind === 'folder') await this.#files.remove(destination);
  }
}

/** And no dataset. */
function isPath(place: string): boolean {
  return place.startsWith('/');
}

function saysTaken(error: ToolFailure): boolean {
  return /: dataset already exists$/.test(error.message);
}
