import { Sequencer } from '../../base/sequencer.ts';
import { WORKSPACE_NOW, type FileChange } from '../common/provider.ts';
import type { TakenSnapshot, TakeRequest } from '../common/provider.ts';
import { changesBetween } from './compareTrees.ts';
import { haveHardLinks } from './hardLinks.ts';
import { touchedWithin, type ListingPorts, type TouchedPath } from './listing.ts';
import { explained } from './tool.ts';
import type { VolumeClones } from './volumeClones.ts';

/** An existing snapshot of a volume. */
export interface VolumeSnapshot {
  /** The folder with the snapshot of the whole volume. */
  readonly top: string;
  /** The workspace's path in the volume. */
  readonly folder: string;
  /** The folder of the workspace in the snapshot. */
  readonly root: string;
}

interface VolumeOptions extends ListingPorts {
  /** The path contains no symbolic link. */
  readonly workspace: string;
}

/** What the providers for Btrfs and ZFS share: both take read-only snapshots of whole volumes. */
export abstract class VolumeProvider<S extends VolumeSnapshot> {
  readonly workspace: string;
  protected abstract readonly clones: VolumeClones<S>;
  readonly #ports: ListingPorts;
  /** Names the volume in error messages. */
  readonly #volume: string;
  readonly #sequencer = new Sequencer();

  constructor(options: VolumeOptions, volume: string) {
    this.workspace = options.workspace;
    this.#ports = options;
    this.#volume = volume;
  }

  protected abstract takeAlone(request: TakeRequest): Promise<TakenSnapshot>;
  protected abstract removeAlone(ref: string): Promise<void>;
  /** @throws UserError `snapshot-gone` */
  protected abstract find(ref: string): Promise<S>;
  /** Asks the file system which paths of the volume may differ; undefined if it can't tell. */
  protected abstract touchedInVolume(
    before: S,
    after: S,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined>;

  take(request: TakeRequest): Promise<TakenSnapshot> {
    return this.#sequencer.queue(() =>
      this.takeAlone(request).catch((error: unknown) => {
        throw explained(error, 'snapshot-failed', `Can't take a snapshot of ${this.#volume}`);
      }),
    );
  }

  async diff(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]> {
    const before = await this.find(from);
    try {
      const after = to === WORKSPACE_NOW ? undefined : await this.find(to);
      const touched = after && (await this.touchedBetween(before, after, signal));
      const pair = { oldRoot: before.root, newRoot: after?.root ?? this.workspace, touched };
      return await changesBetween(this.#ports, pair, signal);
    } catch (error) {
      throw explained(error, 'diff-failed', `Can't compare ${from} and ${to}`);
    }
  }

  /** Lists the paths of the workspace that may differ; undefined if everything must be compared. */
  protected async touchedBetween(
    before: S,
    after: S,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined> {
    if (before.folder !== after.folder) return undefined;
    const touched = await this.touchedInVolume(before, after, signal);
    if (touched === undefined) return undefined;
    // Untested: everything is compared then; test/process/btrfs/btrfsSnapshots.test.ts covers this.
    if (await haveHardLinks(this.#ports.files, [before.top, after.top], touched)) return undefined;
    return touchedWithin(after.folder, touched);
  }

  removeClone(destination: string): Promise<void> {
    return this.clones.remove(destination);
  }

  remove(refs: readonly string[]): Promise<void> {
    return this.#sequencer.queue(async () => {
      for (const ref of refs) await this.removeAlone(ref);
    });
  }

  dispose(): void {}
}
