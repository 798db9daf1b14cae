import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';
import type {
  CloneRequest,
  SnapshotProvider,
  SnapshotTree,
  TakenSnapshot,
  TakeRequest,
  WholeVolumeSnapshot,
} from '../common/provider.ts';
import { FolderTree } from '../volume/folderTree.ts';
import type { TouchedPath } from '../volume/listing.ts';
import { allMounts, mountsOf } from '../volume/mounts.ts';
import { NewestSnapshot } from '../volume/newestSnapshot.ts';
import { retryWhileInUse } from '../volume/retryWhileInUse.ts';
import { joinPath } from '../common/posixPath.ts';
import { explained, ToolFailure } from '../volume/tool.ts';
import { compareWithPrevious } from '../volume/compareWithPrevious.ts';
import { storageKey } from '../volume/storageKey.ts';
import { VolumeProvider } from '../volume/volumeProvider.ts';
import { isOurs, parseRef, refOf, snapshotPrefix, type ZfsSnapshot } from './zfsRef.ts';
import { ZfsClones } from './zfsClones.ts';
import type { Dataset, ZfsTool } from './zfsTool.ts';

export interface ZfsOptions {
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly tool: ZfsTool;
  /** The path contains no symbolic link. */
  readonly workspace: string;
  readonly dataset: Dataset;
  /** The workspace's path in the dataset. */
  readonly folder: string;
  readonly privateFolder: string;
}

/**
 * Takes snapshots of the dataset that holds the workspace; reads them through its `.zfs` folder.
 */
export class ZfsProvider extends VolumeProvider<ZfsSnapshot> implements SnapshotProvider {
  readonly name = 'zfs';
  protected readonly clones: ZfsClones;
  readonly #options: ZfsOptions;
  readonly #prefix: string;
  readonly #newest: NewestSnapshot;

  constructor(options: ZfsOptions) {
    super(options, options.dataset.name);
    this.#options = options;
    this.#prefix = snapshotPrefix(options.folder, options.privateFolder);
    this.clones = new ZfsClones(options);
    // Named after the workspace's path: workspaces in different datasets may have the same prefix.
    const mark = `zfs-newest/${storageKey(options.workspace)}`;
    this.#newest = new NewestSnapshot(options.files, joinPath(options.privateFolder, mark));
  }

  protected async takeAlone(request: TakeRequest): Promise<TakenSnapshot> {
    const { tool, files, dataset, folder } = this.#options;
    const { signal } = request;
    signal.throwIfAborted();
    const snapshot = this.#prefix + request.name;
    const ref = refOf(snapshot, folder);
    const fullName = `${dataset.name}@${snapshot}`;
    if (await tool.exists(fullName)) {
      throw new UserError('snapshot-exists', `Snapshot ${snapshot} already exists.`);
    }
    try {
      await tool.snapshot(fullName, signal);
      const omissions = (await mountsOf(files, this.workspace)).within;
      const isSame = (other: string) => this.#isUnchanged(other, snapshot, request);
      const same = await this.#newest.findSame(isSame, signal);
      const isThere = (other: string) => tool.exists(`${dataset.name}@${parseRef(other).snapshot}`);
      const answer = await this.#newest.settle({ ref, same, isThere });
      if (answer.ref !== ref) await this.#destroy(fullName);
      return { ...answer, stats: {}, omissions };
    } catch (error) {
      await this.#destroy(fullName);
      throw error;
    }
  }

  #destroy(fullName: string): Promise<void> {
    const { tool, clock } = this.#options;
    return retryWhileInUse(clock, isInUse, () => tool.destroySnapshot(fullName));
  }

  async #ownSnapshots(): Promise<string[]> {
    const names = await this.#options.tool.snapshotsOf(this.#options.dataset.name);
    return names.filter((name) => name.startsWith(this.#prefix));
  }

  async #isUnchanged(previous: string, snapshot: string, request: TakeRequest): Promise<boolean> {
    const { tool, dataset, folder } = this.#options;
    const old = parseRef(previous);
    if (old.folder !== folder) return false;
    if (await tool.isUnwritten(dataset.name, old.snapshot, snapshot)) return true;
    const before = await this.find(previous);
    const after = await this.find(refOf(snapshot, folder));
    const touched = await this.touchedBetween(before, after, request.signal);
    const pair = { oldRoot: before.root, newRoot: after.root, touched };
    return (await compareWithPrevious(this.#options, pair, request)).isSame;
  }

  async open(ref: string): Promise<SnapshotTree> {
    return new FolderTree(this.#options.files, (await this.find(ref)).root);
  }

  /** ZFS creates snapshots in one transaction: those it lists are complete. */
  async prove(ref: string): Promise<void> {
    await this.find(ref);
  }

  protected async touchedInVolume(
    before: ZfsSnapshot,
    after: ZfsSnapshot,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined> {
    const { tool } = this.#options;
    const { dataset } = after;
    if (before.dataset.name !== dataset.name) return undefined;
    // zfs requires the older snapshot first; callers may ask the other way round.
    return (
      (await tool.touchedBetween(dataset, before.snapshot, after.snapshot, signal)) ??
      (await tool.touchedBetween(dataset, after.snapshot, before.snapshot, signal))
    );
  }

  async clone(request: CloneRequest): Promise<{ readonly workspace: string }> {
    return this.clones.make(request, await this.find(request.ref));
  }

  async list(): Promise<readonly string[]> {
    const names = await this.#ownSnapshots();
    return names.map((name) => refOf(name, this.#options.folder)).sort();
  }

  async cost(refs: readonly string[]): Promise<number> {
    const { tool, dataset } = this.#options;
    const there = new Set(await tool.snapshotsOf(dataset.name));
    const names = refs.map((ref) => parseRef(ref).snapshot).filter((name) => there.has(name));
    return names.length === 0 ? 0 : tool.reclaimable(dataset.name, names);
  }

  protected async removeAlone(ref: string): Promise<void> {
    await this.#newest.forget(ref);
    await this.#removeOne(parseRef(ref).snapshot);
  }

  /**
   * A snapshot contains the whole dataset, so the snapshots of other workspaces in the dataset
   * contain this workspace's files too.
   */
  async volumeSnapshots(): Promise<readonly WholeVolumeSnapshot[]> {
    const { tool, dataset, folder } = this.#options;
    const states: WholeVolumeSnapshot[] = [];
    for (const snapshot of (await tool.snapshotsOf(dataset.name)).filter(isOurs)) {
      const ref = refOf(snapshot, snapshot.startsWith(this.#prefix) ? folder : '');
      const { top } = await this.find(refOf(snapshot, ''));
      const isNamedBy = (other: string): boolean => parseRef(other).snapshot === snapshot;
      states.push({ ref, folder: top, of: dataset.mountPoint, isNamedBy });
    }
    return states;
  }

  async #removeOne(snapshot: string): Promise<void> {
    for (const dataset of await this.#datasetsWith(snapshot)) {
      await this.#destroy(`${dataset}@${snapshot}`).catch((error: unknown) => {
        const sentence = `The snapshot ${snapshot} cannot be removed`;
        if (error instanceof Error && /dependent clones/.test(error.message)) {
          throw new UserError('snapshot-in-use', `${sentence}: a branch still uses it.`);
        }
        throw explained(error, 'remove-failed', sentence);
      });
    }
  }

  /**
   * Finds the datasets with a snapshot: usually only the workspace's own, but the workspace may
   * have moved to another dataset.
   */
  async #datasetsWith(snapshot: string): Promise<string[]> {
    const { tool, dataset } = this.#options;
    if (await tool.exists(`${dataset.name}@${snapshot}`)) return [dataset.name];
    return tool.datasetsWith(snapshot);
  }

  protected async find(ref: string): Promise<ZfsSnapshot> {
    const { files } = this.#options;
    const { snapshot, folder } = parseRef(ref);
    const datasets = await this.#datasetsWith(snapshot);
    for (const { source, type, root: mountedRoot, folder: mountPoint } of await allMounts(files)) {
      if (type !== 'zfs' || mountedRoot !== '/' || !datasets.includes(source)) continue;
      const top = `${mountPoint === '/' ? '' : mountPoint}/.zfs/snapshot/${snapshot}`;
      const root = joinPath(top, folder);
      // The dot makes the system mount the snapshot; looking at its folder alone does not.
      if (!(await files.canRead(`${root}/.`))) continue;
      return { dataset: { name: source, mountPoint }, snapshot, folder, top, root };
    }
    throw new UserError('snapshot-gone', `The snapshot ${snapshot} is gone.`);
  }
}

/** Whether another process is comparing the snapshot or reading its files. */
function isInUse(error: unknown): boolean {
  return error instanceof ToolFailure && /is busy/.test(error.message);
}
