import type { Exec, Files, Processes } from '../common/ports.ts';
import type { CloneRequest } from '../common/provider.ts';
import { destinationExists } from '../volume/cloneClaims.ts';
import { statIfThere } from '../common/folders.ts';
import { joinPath } from '../common/posixPath.ts';
import { ToolFailure } from '../volume/tool.ts';
import { hashOf } from '../volume/storageKey.ts';
import { VolumeClones } from '../volume/volumeClones.ts';
import type { ZfsSnapshot } from './zfsRef.ts';
import type { ZfsTool } from './zfsTool.ts';

interface ClonePorts {
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly tool: ZfsTool;
  readonly privateFolder: string;
}

/**
 * Writable clones of snapshots. On Linux only root can mount a dataset; other users get a copy of
 * the workspace's files, which shares their blocks where the pool supports it (OpenZFS 2.2).
 */
export class ZfsClones extends VolumeClones<ZfsSnapshot> {
  readonly #exec: Exec;
  readonly #tool: ZfsTool;

  constructor(ports: ClonePorts) {
    super(ports, 'zfs-clones');
    this.#exec = ports.exec;
    this.#tool = ports.tool;
  }

  protected placeFor(destination: string, { dataset }: ZfsSnapshot): string {
    return `${dataset.name}/ah-clone-${hashOf(destination)}`;
  }

  /** The clone's dataset may exist without being mounted. */
  protected isLeft(place: string): Promise<boolean> {
    return isPath(place) ? Promise.resolve(false) : this.#tool.exists(place);
  }

  protected async create(
    { destination, signal, onDidBegin }: CloneRequest,
    from: ZfsSnapshot,
  ): Promise<string> {
    const mounting = this.#mountClone(from, destination, signal);
    onDidBegin?.();
    if (await mounting) return joinPath(destination, from.folder);
    await this.records.add({ destination, place: destination });
    await this.#copy(from.root, destination, signal);
    return destination;
  }

  /** Returns false, leaving nothing behind, if this user may not mount. */
  async #mountClone(from: ZfsSnapshot, destination: string, signal: AbortSignal): Promise<boolean> {
    const { dataset, snapshot } = from;
    const clone = this.placeFor(destination, from);
    try {
      await this.#tool.clone(`${dataset.name}@${snapshot}`, clone, destination, signal);
      return true;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (isTakenMessage(error)) throw destinationExists(destination);
      await this.#destroy(clone, destination);
      if (!/permission denied|only be mounted by root/i.test(error.message)) throw error;
      return false;
    }
  }

  async #copy(source: string, destination: string, signal: AbortSignal): Promise<void> {
    await this.files.makeFolder(destination);
    const args = ['-a', '--reflink=auto', '--', `${source}/.`, destination];
    const { exitCode, stderr } = await this.#exec('cp', args, { cwd: '/', signal });
    if (exitCode !== 0) throw new ToolFailure(stderr.trim().split('\n')[0] ?? 'cp failed');
  }

  protected async removePlace(place: string, destination: string): Promise<void> {
    if (isPath(place)) await this.files.removeTree(place);
    else await this.#destroy(place, destination);
  }

  async #destroy(clone: string, destination: string): Promise<void> {
    if (await this.#tool.exists(clone)) await this.#tool.destroyClone(clone);
    // Remove the empty mount folder if the system left it.
    const stat = await statIfThere(this.files, destination);
    if (stat?.kind === 'folder') await this.files.remove(destination);
  }
}

/** Whether a place is a path rather than a dataset. */
function isPath(place: string): boolean {
  return place.startsWith('/');
}

function isTakenMessage(error: ToolFailure): boolean {
  return /: dataset already exists$/.test(error.message);
}
