import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';
import type {
  CloneRequest,
  FileChange,
  SnapshotProvider,
  SnapshotTree,
  TakenSnapshot,
  TakeRequest,
  WholeState,
} from '../common/provider.ts';
import { diffSnapshots, type SnapshotPlaces } from '../volume/diffSnapshots.ts';
import { FolderTree } from '../volume/folderTree.ts';
import { haveSeveralNames } from '../volume/hardLinks.ts';
import { touchedWithin, type TouchedPath } from '../volume/listing.ts';
import { allMounts, mountsOf } from '../volume/mounts.ts';
import { NewestKept } from '../volume/newestKept.ts';
import { onceUnused } from '../volume/onceUnused.ts';
import { joinPath } from '../common/posixPath.ts';
import { explained, ToolFailure } from '../volume/tool.ts';
import { compareWithPrevious } from '../volume/compareWithPrevious.ts';
import { workspaceKey } from '../volume/workspaceKey.ts';
import { isOurs, parseRef, refOf, snapshotPrefix, type FoundSnapshot } from './snapshotName.ts';
import { ZfsClones } from './zfsClones.ts';
import type { Dataset, ZfsTool } from './zfsTool.ts';

export interface ZfsOptions {
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly tool: ZfsTool;
  /** With no symbolic link in it. */
  readonly workspace: string;
  readonly dataset: Dataset;
  /** The workspace's place in the dataset. */
  readonly folder: string;
  readonly privateFolder: string;
}

/** Snapshots of the dataset that holds the workspace, read through its folder `.zfs`. */
export class ZfsProvider implements SnapshotProvider {
  readonly name = 'zfs';
  readonly workspace: string;
  readonly #options: ZfsOptions;
  readonly #prefix: string;
  readonly #clones: ZfsClones;
  readonly #newest: NewestKept;
  readonly #sequencer = new Sequencer();

  constructor(options: ZfsOptions) {
    this.#options = options;
    this.workspace = options.workspace;
    this.#prefix = snapshotPrefix(options.folder, options.privateFolder);
    this.#clones = new ZfsClones(options);
    // By the path, since workspaces of several datasets may have the same prefix.
    const mark = `zfs-newest/${workspaceKey(options.workspace)}`;
    this.#newest = new NewestKept(options.files, joinPath(options.privateFolder, mark));
  }

  take(request: TakeRequest): Promise<TakenSnapshot> {
    return this.#sequencer.queue(() =>
      this.#take(request).catch((error: unknown) => {
        const { name } = this.#options.dataset;
        throw explained(error, 'snapshot-failed', `No snapshot of ${name}`);
      }),
    );
  }

  async #take(request: TakeRequest): Promise<TakenSnapshot> {
    const { tool, files, dataset, folder } = this.#options;
    const { signal } = request;
    signal.throwIfAborted();
    const snapshot = this.#prefix + request.name;
    const ref = refOf(snapshot, folder);
    const fullName = `${dataset.name}@${snapshot}`;
    if (await tool.exists(fullName)) {
      throw new UserError('snapshot-exists', `There is a snapshot ${snapshot} already.`);
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
    return onceUnused(clock, isInUse, () => tool.destroySnapshot(fullName));
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
    const before = await this.#find(previous);
    const after = await this.#find(refOf(snapshot, folder));
    const touched = await this.#touchedBetween(before, after, request.signal);
    const pair = { oldRoot: before.root, newRoot: after.root, touched };
    return (await compareWithPrevious(this.#options, pair, request)).isSame;
  }

  async open(ref: string): Promise<SnapshotTree> {
    return new FolderTree(this.#options.files, (await this.#find(ref)).root);
  }

  diff(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]> {
    const places: SnapshotPlaces<FoundSnapshot> = {
      workspace: this.workspace,
      find: (ref) => this.#find(ref),
      touchedBetween: (...asked) => this.#touchedBetween(...asked),
    };
    return diffSnapshots(this.#options, places, [from, to], signal);
  }

  async #touchedBetween(
    before: FoundSnapshot,
    after: FoundSnapshot,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined> {
    const { tool, files } = this.#options;
    const { dataset, folder } = after;
    if (before.folder !== folder || before.dataset.name !== dataset.name) return undefined;
    // The older one has to be named first; it is, unless somebody asks the other way round.
    const touched =
      (await tool.touchedBetween(dataset, before.snapshot, after.snapshot, signal)) ??
      (await tool.touchedBetween(dataset, after.snapshot, before.snapshot, signal));
    if (touched === undefined) return undefined;
    if (await haveSeveralNames(files, [before.top, after.top], touched)) return undefined;
    return touchedWithin(folder, touched);
  }

  async clone(request: CloneRequest): Promise<{ readonly workspace: string }> {
    return this.#clones.make(request, await this.#find(request.ref));
  }

  removeClone(destination: string): Promise<void> {
    return this.#clones.remove(destination);
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

  remove(refs: readonly string[]): Promise<void> {
    return this.#sequencer.queue(async () => {
      for (const ref of refs) {
        await this.#newest.forget(ref);
        await this.#removeOne(parseRef(ref).snapshot);
      }
    });
  }

  /** A snapshot is one of the whole dataset: those of other workspaces in it have the files of this one too. */
  async wholeStates(): Promise<readonly WholeState[]> {
    const { tool, dataset, folder } = this.#options;
    const states: WholeState[] = [];
    for (const snapshot of (await tool.snapshotsOf(dataset.name)).filter(isOurs)) {
      const ref = refOf(snapshot, snapshot.startsWith(this.#prefix) ? folder : '');
      const { top } = await this.#find(refOf(snapshot, ''));
      const isMeantBy = (other: string): boolean => parseRef(other).snapshot === snapshot;
      states.push({ ref, folder: top, of: dataset.mountPoint, isMeantBy });
    }
    return states;
  }

  async #removeOne(snapshot: string): Promise<void> {
    for (const dataset of await this.#datasetsWith(snapshot)) {
      await this.#destroy(`${dataset}@${snapshot}`).catch((error: unknown) => {
        const sentence = `The snapshot ${snapshot} cannot be removed`;
        if (error instanceof Error && /dependent clones/.test(error.message)) {
          throw new UserError('snapshot-in-use', `${sentence}: a copy still needs it.`);
        }
        throw explained(error, 'remove-failed', sentence);
      });
    }
  }

  /** In the workspace's own dataset; otherwise wherever, since the workspace may have moved to another. */
  async #datasetsWith(snapshot: string): Promise<string[]> {
    const { tool, dataset } = this.#options;
    if (await tool.exists(`${dataset.name}@${snapshot}`)) return [dataset.name];
    return tool.datasetsWith(snapshot);
  }

  async #find(ref: string): Promise<FoundSnapshot> {
    const { files } = this.#options;
    const { snapshot, folder } = parseRef(ref);
    const datasets = await this.#datasetsWith(snapshot);
    for (const { source, type, root: mountedRoot, folder: mountPoint } of await allMounts(files)) {
      if (type !== 'zfs' || mountedRoot !== '/' || !datasets.includes(source)) continue;
      const top = `${mountPoint === '/' ? '' : mountPoint}/.zfs/snapshot/${snapshot}`;
      const root = joinPath(top, folder);
      // The dot makes the system mount the snapshot, which a mere look at its folder does not.
      if (!(await files.canRead(`${root}/.`))) continue;
      return { dataset: { name: source, mountPoint }, snapshot, folder, top, root };
    }
    throw new UserError('snapshot-gone', `The snapshot ${snapshot} is gone.`);
  }

  dispose(): void {}
}

/** By whoever compares it, or reads its files. */
function isInUse(error: unknown): boolean {
  return error instanceof ToolFailure && /is busy/.test(error.message);
}
