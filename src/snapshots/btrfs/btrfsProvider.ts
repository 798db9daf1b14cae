import { UserError } from '../../base/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Exec, Files, Processes } from '../common/ports.ts';
import type {
  CloneRequest,
  FileChange,
  Omission,
  Scrub,
  SnapshotProvider,
  SnapshotTree,
  TakenSnapshot,
  TakeRequest,
  WholeState,
} from '../common/provider.ts';
import { diffSnapshots, type SnapshotPlaces } from '../volume/diffSnapshots.ts';
import { haveSeveralNames } from '../volume/hardLinks.ts';
import { FolderTree } from '../volume/folderTree.ts';
import { touchedWithin, type TouchedPath } from '../volume/listing.ts';
import { mountsOf, type Mount } from '../volume/mounts.ts';
import type { NewestKept } from '../volume/newestKept.ts';
import { baseName, joinPath, parentOf, relativeTo } from '../common/posixPath.ts';
import { explained } from '../volume/tool.ts';
import { compareWithPrevious } from '../volume/compareWithPrevious.ts';
import { workspaceKey } from '../volume/workspaceKey.ts';
import type { BtrfsTool } from './btrfsTool.ts';
import { BtrfsClones } from './btrfsClones.ts';
import { BtrfsCosts, type DatedSnapshot } from './btrfsCosts.ts';
import { STORE_NAME, type BtrfsStore, type Slot, type SnapshotNote } from './store.ts';
import type { FoundSnapshot } from './store.ts';

export interface BtrfsOptions {
  readonly exec: Exec;
  readonly files: Files;
  readonly processes: Processes;
  readonly tool: BtrfsTool;
  /** With no symbolic link in it. */
  readonly workspace: string;
  /** The subvolume that holds the workspace. */
  readonly top: string;
  /** Where snapshots are looked for; new ones go to the first. */
  readonly stores: readonly BtrfsStore[];
  readonly privateFolder: string;
}

/** Read-only snapshots of the subvolume that holds the workspace. */
export class BtrfsProvider implements SnapshotProvider {
  readonly name = 'btrfs';
  readonly workspace: string;
  readonly #options: BtrfsOptions;
  readonly #key: string;
  readonly #folder: string;
  readonly #clones: BtrfsClones;
  readonly #newest: NewestKept;
  readonly #costs: BtrfsCosts;
  readonly #sequencer = new Sequencer();
  /** The last that was. */
  #opened: FoundSnapshot | undefined;

  constructor(options: BtrfsOptions) {
    this.#options = options;
    this.workspace = options.workspace;
    this.#key = workspaceKey(options.workspace, options.privateFolder);
    this.#folder = relativeTo(options.top, options.workspace)!;
    this.#clones = new BtrfsClones(options, this.#store.folder);
    this.#newest = this.#store.newest(this.#key);
    this.#costs = new BtrfsCosts(options, (...pair) => this.#touchedBetween(...pair));
  }

  get #store(): BtrfsStore {
    return this.#options.stores[0]!;
  }

  take(request: TakeRequest): Promise<TakenSnapshot> {
    return this.#sequencer.queue(() =>
      this.#take(request).catch((error: unknown) => {
        throw explained(error, 'snapshot-failed', `No snapshot of ${this.#options.top}`);
      }),
    );
  }

  async #take(request: TakeRequest): Promise<TakenSnapshot> {
    const { label, signal } = request;
    signal.throwIfAborted();
    const ref = `${this.#key}/${request.name}`;
    const note = { workspace: this.workspace, folder: this.#folder, label, nested: [] };
    const slot = await this.#store.reserve(ref, note);
    try {
      const after = { ref, slot, note, root: joinPath(slot.files, this.#folder) };
      const making = this.#options.tool.snapshot(this.#options.top, slot.files, signal);
      // The one before is looked up while the new one is made.
      const isSame = async (other: string) => {
        const before = await this.#find(other);
        await making;
        return this.#isUnchanged(before, after, request);
      };
      const comparing = this.#newest.findSame(isSame, signal);
      const naming = making.then(() => this.#omissions(slot, note, signal));
      // Whatever fails, nobody may still be writing when what was made is taken away.
      await Promise.allSettled([comparing, naming]);
      const [omissions, same] = await Promise.all([naming, comparing]);
      const isThere = (other: string) => this.#store.isWhole(other);
      const answer = await this.#newest.settle({ ref, same, isThere });
      if (answer.ref !== ref) await this.#store.remove(ref);
      return { ...answer, stats: {}, omissions };
    } catch (error) {
      await this.#store.remove(ref);
      throw error;
    }
  }

  /** Names what the snapshot does not have, in the answer and beside the snapshot. */
  async #omissions(slot: Slot, note: SnapshotNote, signal: AbortSignal): Promise<Omission[]> {
    const mounts = await mountsOf(this.#options.files, this.workspace);
    const nested = await this.#nested(slot, mounts.around, signal);
    if (nested.length > 0) await this.#store.writeNote(slot, { ...note, nested });
    return [
      ...nested.map(ownSubvolume),
      ...mounts.within.filter(({ path }) => !nested.includes(path)),
    ];
  }

  /** Subvolumes in the workspace. Root can ask for them, which is much faster than to search the snapshot. */
  async #nested(slot: Slot, around: Mount | undefined, signal: AbortSignal): Promise<string[]> {
    const { tool, top } = this.#options;
    const place = around && relativeTo(around.folder, this.workspace);
    const listed = place === undefined ? undefined : await tool.subvolumesIn(top, signal);
    let nested: string[];
    if (listed !== undefined) {
      const onDisk = joinPath(around!.root, place!);
      nested = listed.flatMap((path) => relativeTo(onDisk, `/${path}`) ?? []);
    } else {
      nested = await tool.stubsIn(joinPath(slot.files, this.#folder), signal);
    }
    return nested.filter((path) => baseName(path) !== STORE_NAME);
  }

  async #isUnchanged(
    before: FoundSnapshot,
    after: FoundSnapshot,
    request: TakeRequest,
  ): Promise<boolean> {
    if (before.note.folder !== after.note.folder) return false;
    const touched = await this.#touchedBetween(before, after, request.signal);
    const pair = { oldRoot: before.root, newRoot: after.root, touched };
    const comparison = await compareWithPrevious(this.#options, pair, request);
    // What keeping the one before costs from now on: all that is needed for it has just been looked at.
    if (!comparison.isSame) await this.#costs.note(before, after.ref, comparison, touched);
    return comparison.isSame;
  }

  async open(ref: string): Promise<SnapshotTree> {
    const { root, note } = (this.#opened = await this.#find(ref));
    return new FolderTree(this.#options.files, root, note.nested.map(ownSubvolume));
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
    if (before.note.folder !== after.note.folder) return undefined;
    const { tool, files } = this.#options;
    const tops = [before.slot.files, after.slot.files] as const;
    const touched = await tool.touchedBetween(...tops, signal);
    if (touched === undefined) return undefined;
    // Untested: everything is compared; test/process/btrfs/btrfsSnapshots.test.ts covers it.
    if (await haveSeveralNames(files, tops, touched)) return undefined;
    return touchedWithin(after.note.folder, touched);
  }

  async clone(request: CloneRequest): Promise<{ readonly workspace: string }> {
    // Who clones has mostly opened it just before.
    const isOpened = this.#opened?.ref === request.ref;
    const { slot, note } = isOpened ? this.#opened! : await this.#find(request.ref);
    return this.#clones.make(request, slot.files, note).catch(async (error: unknown) => {
      // It may have gone since.
      await this.#find(request.ref);
      throw error;
    });
  }

  removeClone(destination: string): Promise<void> {
    return this.#clones.remove(destination);
  }

  async list(): Promise<readonly string[]> {
    const lists = await Promise.all(this.#options.stores.map((store) => store.refs(this.#key)));
    return lists.flat().sort();
  }

  async cost(refs: readonly string[], signal = new AbortController().signal): Promise<number> {
    const going = new Set(refs);
    let bytes = 0;
    // Those that were taken under a former name of the workspace have a key of their own.
    for (const key of new Set(refs.map((ref) => parentOf(ref))))
      bytes += await this.#costs.freedBy(await this.#dated(key), going, signal);
    return bytes;
  }

  /** The oldest first. */
  async #dated(key: string): Promise<DatedSnapshot[]> {
    const dated: DatedSnapshot[] = [];
    for (const store of this.#options.stores) {
      for (const { ref, takenNs } of await store.dated(key)) {
        // Untested: leaves it out of an estimate of freed bytes only.
        const found = await this.#find(ref).catch(() => undefined);
        if (found) dated.push({ ...found, takenNs });
      }
    }
    return dated.sort((a, b) => (a.takenNs < b.takenNs ? -1 : 1));
  }

  remove(refs: readonly string[]): Promise<void> {
    return this.#sequencer.queue(async () => {
      for (const ref of refs) {
        for (const store of this.#options.stores) {
          if (!(await store.has(ref))) continue;
          await store.remove(ref).catch((error: unknown) => {
            throw explained(error, 'remove-failed', `The snapshot ${ref} cannot be removed`);
          });
        }
      }
    });
  }

  /** A snapshot is one of the whole subvolume: those of other workspaces in it have the files of this one too. */
  async wholeStates(): Promise<readonly WholeState[]> {
    const { stores, top } = this.#options;
    const states: WholeState[] = [];
    for (const store of stores) {
      for (const ref of await store.allRefs()) {
        const slot = store.slotOf(ref);
        const note = await store.readNote(slot);
        const isOwn = ref.startsWith(`${this.#key}/`);
        if (!isOwn && note && joinPath(top, note.folder) !== note.workspace) continue;
        const isMeantBy = (other: string): boolean => other === ref;
        states.push({ ref, folder: slot.files, of: top, isMeantBy });
      }
    }
    return states;
  }

  async scrubLabels(scrub: Scrub): Promise<void> {
    for (const store of this.#options.stores) {
      for (const ref of await store.allRefs()) {
        const slot = store.slotOf(ref);
        const note = await store.readNote(slot);
        const label = note && scrub(new TextEncoder().encode(note.label));
        if (label) await store.writeNote(slot, { ...note, label: new TextDecoder().decode(label) });
      }
    }
  }

  async #find(ref: string): Promise<FoundSnapshot> {
    for (const store of this.#options.stores) {
      const slot = store.slotOf(ref);
      const note = await store.readNote(slot);
      if (note === undefined) continue;
      return { ref, slot, note, root: joinPath(slot.files, note.folder) };
    }
    throw new UserError('snapshot-gone', `The snapshot ${ref} is gone.`);
  }

  dispose(): void {}
}

function ownSubvolume(path: string): Omission {
  return { path, reason: 'special', detail: 'a Btrfs subvolume of its own' };
}
