import { UserError } from '../../../base/errors.ts';
import type { Exec, Files } from '../../ports.ts';
import type { CloneRequest } from '../../provider.ts';
import { CloneRecords } from '../volume/cloneRecords.ts';
import { statIfThere } from '../volume/folders.ts';
import { joinPath, parentOf } from '../volume/posixPath.ts';
import { explained, ToolFailure } from '../volume/tool.ts';
import { hashOf } from '../volume/workspaceKey.ts';
import type { FoundSnapshot } from './snapshotName.ts';
import type { ZfsTool } from './zfsTool.ts';

interface ClonePorts {
  readonly exec: Exec;
  readonly files: Files;
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
  readonly #records: CloneRecords;

  constructor({ exec, files, tool, privateFolder }: ClonePorts) {
    this.#exec = exec;
    this.#files = files;
    this.#tool = tool;
    this.#records = new CloneRecords(files, joinPath(privateFolder, 'zfs-clones'));
  }

  async make(
    { destination, signal, onDidBegin }: CloneRequest,
    from: FoundSnapshot,
  ): Promise<{ readonly workspace: string }> {
    if ((await statIfThere(this.#files, destination)) !== undefined) {
      throw new UserError('destination-exists', `${destination} exists already.`);
    }
    const clone = `${from.dataset.name}/ah-clone-${hashOf(destination)}`;
    try {
      await this.#files.makeFolder(parentOf(destination));
      await this.#records.add({ destination, place: clone });
    } catch (error) {
      throw explained(error, 'clone-failed', `No copy of the snapshot at ${destination}`);
    }
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
      await this.remove(destination);
      throw explained(error, 'clone-failed', `No copy of the snapshot at ${destination}`);
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
    const { place } = await this.#records.get(destination);
    try {
      if (place.startsWith('/')) await this.#files.removeTree(place);
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
