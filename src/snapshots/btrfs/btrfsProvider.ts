import { UserError } from '../../base/errors.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';
import type {
  CloneRequest,
  Omission,
  SnapshotProvider,
  SnapshotTree,
  TakenSnapshot,
  TakeRequest,
  WholeVolumeSnapshot,
} from '../common/provider.ts';
import { lostError } from '../common/lostSnapshot.ts';
import { FolderTree } from '../volume/folderTree.ts';
import type { TouchedPath } from '../volume/listing.ts';
import { mountsOf, type Mount } from '../volume/mounts.ts';
import type { NewestSnapshot } from '../volume/newestSnapshot.ts';
import { baseName, joinPath, parentOf, relativeTo } from '../common/posixPath.ts';
import { explained } from '../volume/tool.ts';
import { compareWithPrevious } from '../volume/compareWithPrevious.ts';
import { storageKey } from '../volume/storageKey.ts';
import { VolumeProvider } from '../volume/volumeProvider.ts';
import type { BtrfsTool } from './btrfsTool.ts';
import { BtrfsClones } from './btrfsClones.ts';
import { BtrfsCosts, type DatedSnapshot } from './btrfsCosts.ts';
import { STORE_NAME, type BtrfsStore, type Slot, type SnapshotNote } from './store.ts';
import type { BtrfsSnapshot } from './store.ts';

export interface BtrfsOptions {
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly tool: BtrfsTool;
  /** The path contains no symbolic link. */
  readonly workspace: string;
  /** The subvolume that holds the workspace. */
  readonly top: string;
  /** The stores to look for snapshots in; new snapshots go to the first store. */
  readonly stores: readonly BtrfsStore[];
  readonly privateFolder: string;
}

/** Takes read-only snapshots of the subvolume that holds the workspace. */
export class BtrfsProvider extends VolumeProvider<BtrfsSnapshot> implements SnapshotProvider {
  readonly name = 'btrfs';
  protected readonly clones: BtrfsClones;
  readonly #options: BtrfsOptions;
  readonly #key: string;
  readonly #folder: string;
  readonly #newest: NewestSnapshot;
  readonly #costs: BtrfsCosts;
  /** The snapshot that was opened last. */
  #opened: BtrfsSnapshot | undefined;

  constructor(options: BtrfsOptions) {
    super(options, options.top);
    this.#options = options;
    this.#key = storageKey(options.workspace, options.privateFolder);
    // `!`: the subvolume contains the workspace.
    this.#folder = relativeTo(options.top, options.workspace)!;
    this.clones = new BtrfsClones(options, this.#store.folder);
    this.#newest = this.#store.newest(this.#key);
    this.#costs = new BtrfsCosts(options, (...pair) => this.touchedBetween(...pair));
  }

  get #store(): BtrfsStore {
    // `!`: there is at least one store.
    return this.#options.stores[0]!;
  }

  protected async takeAlone(request: TakeRequest): Promise<TakenSnapshot> {
    const { label, signal } = request;
    signal.throwIfAborted();
    const ref = `${this.#key}/${request.name}`;
    const note = { workspace: this.workspace, folder: this.#folder, label, nested: [] };
    const slot = await this.#store.reserve(ref, note);
    try {
      const after = snapshotIn(slot, ref, note);
      const making = this.#options.tool.snapshot(this.#options.top, slot.files, signal);
      // The previous snapshot is looked up while the new one is taken.
      const isSame = async (other: string) => {
        const before = await this.find(other);
        await making;
        return this.#isUnchanged(before, after, request);
      };
      const comparing = this.#newest.findSame(isSame, signal);
      const naming = making.then(() => this.#omissions(slot, note, signal));
      // Btrfs has committed the snapshot when it returns, but not the content of the note.
      const syncing = naming.then(() => this.#store.syncNote(slot));
      // Wait for all: if one fails, cleanup must not run while another still writes.
      await Promise.allSettled([comparing, syncing]);
      const [omissions, same] = await Promise.all([naming, comparing, syncing]);
      const isThere = (other: string) => this.#store.isWhole(other);
      const answer = await this.#newest.settle({ ref, same, isThere });
      if (answer.ref !== ref) await this.#store.remove(ref);
      return { ...answer, stats: {}, omissions };
    } catch (error) {
      await this.#store.remove(ref);
      throw error;
    }
  }

  /** Lists what the snapshot leaves out, and names nested subvolumes in the note beside it. */
  async #omissions(slot: Slot, note: SnapshotNote, signal: AbortSignal): Promise<Omission[]> {
    const mounts = await mountsOf(this.#options.files, this.workspace);
    const nested = await this.#nested(slot, mounts.around, signal);
    if (nested.length > 0) await this.#store.writeNote(slot, { ...note, nested });
    return [
      ...nested.map(subvolumeOmission),
      ...mounts.within.filter(({ path }) => !nested.includes(path)),
    ];
  }

  /**
   * Lists the subvolumes in the workspace. Asking Btrfs is faster than searching, but needs root.
   */
  async #nested(slot: Slot, around: Mount | undefined, signal: AbortSignal): Promise<string[]> {
    const { tool, top } = this.#options;
    const onDisk = around && placeOnDisk(around, this.workspace);
    const listed = onDisk === undefined ? undefined : await tool.subvolumesIn(top, signal);
    const nested =
      onDisk !== undefined && listed
        ? listed.flatMap((path) => relativeTo(onDisk, `/${path}`) ?? [])
        : await tool.stubsIn(joinPath(slot.files, this.#folder), signal);
    return nested.filter((path) => baseName(path) !== STORE_NAME);
  }

  async #isUnchanged(
    before: BtrfsSnapshot,
    after: BtrfsSnapshot,
    request: TakeRequest,
  ): Promise<boolean> {
    if (before.note.folder !== after.note.folder) return false;
    const touched = await this.touchedBetween(before, after, request.signal);
    const pair = { oldRoot: before.root, newRoot: after.root, touched };
    const comparison = await compareWithPrevious(this.#options, pair, request);
    // This comparison also tells what removing the previous snapshot would free: write that note.
    if (!comparison.isSame) await this.#costs.note(before, after.ref, comparison, touched);
    return comparison.isSame;
  }

  async open(ref: string): Promise<SnapshotTree> {
    const { root, note } = (this.#opened = await this.find(ref));
    return new FolderTree(this.#options.files, root, note.nested.map(subvolumeOmission));
  }

  async prove(ref: string): Promise<void> {
    for (const store of this.#options.stores) {
      if (!(await store.has(ref))) continue;
      // The folder and the note come first: a crash may leave nothing else, or an empty note.
      const note = await store.readNote(store.slotOf(ref));
      if (note && (await store.isWhole(ref))) return;
      throw lostError();
    }
    await this.find(ref);
  }

  protected touchedInVolume(
    before: BtrfsSnapshot,
    after: BtrfsSnapshot,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined> {
    return this.#options.tool.touchedBetween(before.top, after.top, signal);
  }

  async clone(request: CloneRequest): Promise<{ readonly workspace: string }> {
    // The caller has usually opened the same snapshot just before.
    const opened = this.#opened?.ref === request.ref ? this.#opened : undefined;
    const snapshot = opened ?? (await this.find(request.ref));
    return this.clones.make(request, snapshot).catch(async (error: unknown) => {
      // If the snapshot is gone, report that rather than the failed copy.
      await this.find(request.ref);
      throw error;
    });
  }

  async list(): Promise<readonly string[]> {
    const lists = await Promise.all(this.#options.stores.map((store) => store.refs(this.#key)));
    return lists.flat().sort();
  }

  async cost(refs: readonly string[], signal = new AbortController().signal): Promise<number> {
    const going = new Set(refs);
    let bytes = 0;
    // Snapshots taken when the workspace had another path have another key.
    for (const key of new Set(refs.map((ref) => parentOf(ref))))
      bytes += await this.#costs.freedBy(await this.#dated(key), going, signal);
    return bytes;
  }

  /** Lists snapshots with their times, oldest first. */
  async #dated(key: string): Promise<DatedSnapshot[]> {
    const dated: DatedSnapshot[] = [];
    for (const store of this.#options.stores) {
      for (const { ref, takenNs } of await store.dated(key)) {
        // Untested: without this snapshot, the estimate of freed bytes is only lower.
        const found = await this.find(ref).catch(() => undefined);
        if (found) dated.push({ ...found, takenNs });
      }
    }
    return dated.sort((a, b) => (a.takenNs < b.takenNs ? -1 : 1));
  }

  protected async removeAlone(ref: string): Promise<void> {
    for (const store of this.#options.stores) {
      if (!(await store.has(ref))) continue;
      await store.remove(ref).catch((error: unknown) => {
        throw explained(error, 'remove-failed', `The snapshot ${ref} cannot be removed`);
      });
    }
  }

  /**
   * A snapshot contains the whole subvolume, so the snapshots of other workspaces in the subvolume
   * contain this workspace's files too.
   */
  async volumeSnapshots(): Promise<readonly WholeVolumeSnapshot[]> {
    const { stores, top } = this.#options;
    const states: WholeVolumeSnapshot[] = [];
    for (const store of stores) {
      for (const ref of await store.allRefs()) {
        const slot = store.slotOf(ref);
        const note = await store.readNote(slot);
        const isOwn = ref.startsWith(`${this.#key}/`);
        if (!isOwn && note && joinPath(top, note.folder) !== note.workspace) continue;
        const isNamedBy = (other: string): boolean => other === ref;
        states.push({ ref, folder: slot.files, of: top, isNamedBy });
      }
    }
    return states;
  }

  async scrubLabels(
    scrub: (label: Uint8Array, ref: string) => Uint8Array | undefined,
  ): Promise<void> {
    for (const store of this.#options.stores) {
      for (const ref of await store.allRefs()) {
        const slot = store.slotOf(ref);
        const note = await store.readNote(slot);
        const label = note && scrub(new TextEncoder().encode(note.label), ref);
        if (label) await store.writeNote(slot, { ...note, label: new TextDecoder().decode(label) });
      }
    }
  }

  protected async find(ref: string): Promise<BtrfsSnapshot> {
    for (const store of this.#options.stores) {
      const slot = store.slotOf(ref);
      const note = await store.readNote(slot);
      if (note === undefined) continue;
      return snapshotIn(slot, ref, note);
    }
    throw new UserError('snapshot-gone', `The snapshot ${ref} is gone.`);
  }
}

function snapshotIn(slot: Slot, ref: string, note: SnapshotNote): BtrfsSnapshot {
  const { folder } = note;
  return { ref, slot, note, top: slot.files, folder, root: joinPath(slot.files, folder) };
}

/** The path of the workspace in its file system. */
function placeOnDisk({ root, folder }: Mount, workspace: string): string | undefined {
  const place = relativeTo(folder, workspace);
  return place === undefined ? undefined : joinPath(root, place);
}

function subvolumeOmission(path: string): Omission {
  return { path, reason: 'special', detail: 'a separate Btrfs subvolume' };
}
