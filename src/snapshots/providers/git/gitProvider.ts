import { UserError } from '../../../base/errors.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import type {
  ClonedFolder,
  CloneRequest,
  FileChange,
  KeptRepository,
  Scrub,
  SnapshotProvider,
  SnapshotTree,
  TakenSnapshot,
  TakeRequest,
} from '../../provider.ts';
import { cloneSnapshot, keptRepositories, removeClone } from './gitClone.ts';
import type { CloneContext } from './gitClone.ts';
import { explainFailure, GitFailure, isDiskFull } from './gitCommand.ts';
import { countChanges } from './countChanges.ts';
import type { GitLimits, GitPorts } from './gitPorts.ts';
import {
  collectGarbage,
  costOf,
  dropUnused,
  listSnapshots,
  packLooseObjects,
  releaseAll,
  removeSnapshots,
} from './gitRetention.ts';
import { diffStates, type FilesWithModes } from './modeChanges.ts';
import { knownModes, ModeNotes, modesOf, type SeenModes } from './modeNotes.ts';
import { GitTree } from './gitTree.ts';
import { ignoredNow } from './ignoredNow.ts';
import type { ObjectStore } from './objectStore.ts';
import { limitOmissions } from './omissionList.ts';
import { checkObjects, scrubSnapshots } from './scrubStore.ts';
import { readScanState, writeScanState } from './scanState.ts';
import type { ScanState } from './scanState.ts';
import { identityOf } from './stateIdentity.ts';
import { filesOf, nameOf, readRecord, writeRecord } from './snapshotRecord.ts';
import type { Storage } from './storage.ts';
import type { ScanContext } from './unit.ts';
import { Units } from './units.ts';
import { scanWorkspace, updateWorkspace } from './workspaceScan.ts';
import type { WorkspaceScan } from './workspaceScan.ts';
import { joinPath } from '../volume/posixPath.ts';

/** So often loose objects are packed: each snapshot leaves some ten of them. */
const PACK_EVERY = 300;

interface ScanWithModes extends WorkspaceScan {
  readonly modes: SeenModes;
}

/** Keeps states of a workspace as commits of a repository of our own; see `docs/decisions/0010-…`. */
export class GitProvider implements SnapshotProvider {
  readonly name = 'git';
  readonly workspace: string;
  readonly #ports: GitPorts;
  readonly #store: ObjectStore;
  readonly #storage: Storage;
  readonly #limits: GitLimits;
  readonly #units: Units;
  readonly #sequencer = new Sequencer();
  /** The last state that this process has seen or made; another's may know of things that we do not. */
  #lastIdentity: string | undefined;
  #taken = 0;
  #collected: number | undefined;

  constructor(options: {
    workspace: string;
    storage: Storage;
    store: ObjectStore;
    ports: GitPorts;
    limits: GitLimits;
  }) {
    this.workspace = options.workspace;
    this.#ports = options.ports;
    this.#store = options.store;
    this.#storage = options.storage;
    this.#limits = options.limits;
    this.#units = new Units(options.ports, options.store, options.workspace);
  }

  async take(request: TakeRequest): Promise<TakenSnapshot> {
    if (!/^[\w-]+$/.test(request.name)) throw new Error(`${request.name} is no snapshot name.`);
    const taken = await this.#alone(request.signal, async () => {
      const before = await this.#keptAs(request.fineAsKept?.() ?? []);
      if (before) return before;
      try {
        const state = await this.#readState();
        const scan = await this.#scan(state, request.signal, request.changedPaths);
        return await this.#keep(state, scan, request);
      } catch (error) {
        await this.#forgetModes();
        // What was written for nothing must not be what keeps the disk full.
        if (isDiskFull(error)) await this.#collect(() => dropUnused(this.#store));
        throw error;
      }
    });
    this.#taken += 1;
    if (this.#taken % PACK_EVERY === 0) {
      // Behind the back of whoever waits for the snapshot. What fails now is done the next time.
      void this.#sequencer.queue(() => packLooseObjects(this.#store)).catch(() => undefined);
    }
    return taken;
  }

  async open(ref: string): Promise<SnapshotTree> {
    const files = await filesOf(this.#store, ref);
    return new GitTree(this.#store, files, () => readRecord(this.#store, ref));
  }

  async diff(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]> {
    const before = await readRecord(this.#store, from);
    if (to !== 'workspace')
      return diffStates(this.#store, before, await readRecord(this.#store, to), signal);
    // Compared while nobody can collect what the scan has put into the store, which no reference keeps.
    return this.#alone(signal, async () => {
      return diffStates(this.#store, before, await this.#scanAside(signal), signal);
    });
  }

  async ignored(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const state = await readScanState(this.#ports, this.#storage.folder);
      const context = await this.#scanContext(state, signal);
      return await ignoredNow(context, this.#units, state.last?.nested ?? []);
    } catch (error) {
      signal.throwIfAborted();
      throw explainFailure(error);
    }
  }

  async clone(request: CloneRequest): Promise<ClonedFolder> {
    const record = await readRecord(this.#store, request.ref);
    return this.#alone(request.signal, async () => {
      await this.#readState();
      return cloneSnapshot(this.#cloneContext(), record, request);
    });
  }

  async repositories(ref: string): Promise<readonly KeptRepository[]> {
    try {
      return await keptRepositories(this.#cloneContext(), await readRecord(this.#store, ref));
    } catch (error) {
      throw explainFailure(error);
    }
  }

  removeClone(destination: string): Promise<void> {
    return this.#alone(undefined, () => removeClone(this.#cloneContext(), destination));
  }

  async list(): Promise<readonly string[]> {
    return (await listSnapshots(this.#store)).map(({ ref }) => ref);
  }

  cost(refs: readonly string[], signal?: AbortSignal): Promise<number> {
    return costOf(this.#store, refs, signal);
  }

  remove(refs: readonly string[]): Promise<void> {
    return this.#alone(undefined, async () => {
      const count = await removeSnapshots(this.#ports, this.#store, refs, (path) =>
        this.#repositoryAt(path),
      );
      if (count === 0) return;
      // Our indexes may still have contents that nobody else needs.
      this.#units.forgetTrees();
      await this.#scanAside(new AbortController().signal).catch((error: unknown) => {
        // Where the files cannot be looked at now, what is free now goes all the same.
        if (!(explainFailure(error) instanceof UserError)) throw error;
      });
      await this.#collect(() => collectGarbage(this.#store));
    });
  }

  letGo(): Promise<void> {
    return this.#alone(undefined, () =>
      releaseAll(this.#store, (path) => this.#repositoryAt(path)),
    );
  }

  scrub(scrub: Scrub, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return this.#alone(signal, async () => {
      const { folder } = this.#storage;
      const { generation, collected = 0 } = await this.#readState();
      const replaced = await scrubSnapshots(this.#store, scrub, signal);
      // Our indexes name contents that go now: the next snapshot looks at everything.
      await writeScanState(this.#ports, folder, { generation: generation + 1, collected });
      await this.#ports.files.removeTree(joinPath(folder, `indexes/${generation}`));
      // They hold on to trees as they were.
      await this.#ports.files.removeTree(joinPath(this.#store.gitDir, 'refs/cache'));
      this.#units.forgetObjects();
      this.#units.forgetTrees();
      this.#lastIdentity = undefined;
      await this.#collect(() => collectGarbage(this.#store));
      await checkObjects(this.#store, scrub, signal);
      return replaced;
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** What objects are remembered may be gone when somebody has collected since: then they are found or made again. */
  async #readState(): Promise<ScanState> {
    const state = await readScanState(this.#ports, this.#storage.folder);
    if (state.collected !== this.#collected) {
      this.#store.forget();
      this.#units.forgetObjects();
      this.#collected = state.collected;
    }
    return state;
  }

  /** Says that objects go before they do. */
  async #collect(task: () => Promise<void>): Promise<void> {
    this.#collected = -1;
    const state = await readScanState(this.#ports, this.#storage.folder);
    const next = { ...state, collected: (state.collected ?? 0) + 1 };
    await writeScanState(this.#ports, this.#storage.folder, next).catch((error: unknown) => {
      // There may be no room for it before the task has made some.
      if (!isDiskFull(error)) throw error;
    });
    await task();
  }

  /** Looks at everything for another purpose than to keep it. */
  async #scanAside(signal: AbortSignal): Promise<FilesWithModes> {
    const state = await this.#readState();
    const scan = await this.#scan(state, signal).catch(async (error: unknown) => {
      await this.#forgetModes();
      throw error;
    });
    const { files, modes, recheck, unsure = [] } = scan;
    const { last } = state;
    const hadUnsure = (state.unsure?.length ?? 0) > 0;
    const hasNewModes = JSON.stringify(state.modes) !== JSON.stringify(modes);
    if (recheck.length > 0 || unsure.length > 0 || hadUnsure || hasNewModes) {
      const all = last && [...new Set([...last.recheck, ...recheck])];
      const next = {
        ...state,
        modes,
        unsure,
        ...(last && all && { last: { ...last, recheck: all } }),
      };
      if (hasNewModes && modes.tree) await this.#store.setRef('cache/modes', modes.tree);
      await writeScanState(this.#ports, this.#storage.folder, next);
    }
    return { files, modes };
  }

  /** After a scan that came to nothing, our indexes may know of files whose permissions it has seen in vain. */
  async #forgetModes(): Promise<void> {
    const state = await readScanState(this.#ports, this.#storage.folder);
    if (!state.modes) return;
    const next = { ...state, modes: undefined };
    await writeScanState(this.#ports, this.#storage.folder, next).catch((error: unknown) => {
      // What is really wrong is said by whoever failed.
      if (!isDiskFull(error)) throw error;
    });
  }

  async #scan(
    state: ScanState,
    signal: AbortSignal,
    changedPaths?: readonly string[],
  ): Promise<ScanWithModes> {
    const context = await this.#scanContext(state, signal);
    const { last } = state;
    const known = await knownModes(this.#store, state);
    if (changedPaths && known && last && last.identity === this.#lastIdentity) {
      const updated = await updateWorkspace(context, this.#units, last, changedPaths).catch(
        (error: unknown) => {
          // A scan takes nothing for granted, and says what is really wrong.
          if (error instanceof GitFailure) return undefined;
          throw error;
        },
      );
      if (updated) {
        const modes = await context.modes.addTo(context, known);
        return { ...updated, modes: { ...known, ...modes } };
      }
    }
    const doubts = { recheck: last?.recheck ?? [], unsure: state.unsure ?? [] };
    const anew = { ...context, modes: new ModeNotes(this.workspace) };
    const scan = await scanWorkspace(anew, this.#units, doubts);
    const modes = await modesOf(anew, scan.files, scan.hasUnseen ? undefined : known);
    return { ...scan, modes };
  }

  async #scanContext({ generation }: ScanState, signal: AbortSignal): Promise<ScanContext> {
    const indexes = await this.#storage.indexes(generation);
    const parts = { ports: this.#ports, store: this.#store, limits: this.#limits };
    const modes = new ModeNotes(this.workspace);
    return { ...parts, storage: this.#storage.folder, indexes, modes, signal };
  }

  async #keep(state: ScanState, scan: ScanWithModes, request: TakeRequest): Promise<TakenSnapshot> {
    const omissions = limitOmissions(scan.omissions, this.#limits.maxOmissions);
    const identity = identityOf(this.#ports.coding, scan);
    const { files, modes, nested, recheck } = scan;
    const counted = state.last && countChanges(this.#store, state.last.files, files);
    // The state before may be gone; then it is what the scan found.
    const changed = (await counted?.catch(() => undefined)) ?? scan.changed;
    const stats = { changed, bytes: scan.bytes };
    const isUnchanged =
      state.last?.identity === identity && (await this.#isTaken(nameOf(state.last.ref)));
    let ref = state.last?.ref ?? '';
    request.signal.throwIfAborted();
    if (!isUnchanged) {
      // Others may mean the state that has it.
      if (await this.#isTaken(request.name))
        throw new UserError('snapshot-exists', `There is a snapshot ${request.name} already.`);
      const commit = await writeRecord(
        this.#store,
        {
          version: 1,
          name: request.name,
          label: request.label,
          files,
          prefix: scan.prefix,
          repositories: scan.repositories,
          omissions,
          modes: { umask: modes.umask, tree: modes.tree },
        },
        this.#ports.clock.nowNs(),
      );
      request.signal.throwIfAborted();
      // From here on it exists.
      await this.#store.setRef(`snapshots/${request.name}`, commit);
      await this.#store.setRef('cache/last', files);
      if (modes.tree) await this.#store.setRef('cache/modes', modes.tree);
      ref = `${request.name}@${commit}`;
    }
    await writeScanState(this.#ports, this.#storage.folder, {
      ...{ ...state, modes, ...(scan.unsure && { unsure: scan.unsure }) },
      last: { ref, identity, files, nested, recheck, omissions },
    });
    this.#lastIdentity = identity;
    return { ref, isUnchanged, stats, omissions, ...(scan.isPartial && { isPartial: true }) };
  }

  async #keptAs(names: readonly string[]): Promise<TakenSnapshot | undefined> {
    if (names.length === 0) return undefined;
    const refs = new Map((await this.list()).map((ref) => [nameOf(ref), ref]));
    const ref = names.map((name) => refs.get(name)).find((each) => each !== undefined);
    if (ref === undefined) return undefined;
    const { omissions } = await readRecord(this.#store, ref);
    return { ref, isUnchanged: true, stats: {}, omissions };
  }

  async #isTaken(name: string): Promise<boolean> {
    try {
      await this.#ports.files.stat(joinPath(this.#store.gitDir, `refs/snapshots/${name}`));
      return true;
    } catch {
      return false;
    }
  }

  #cloneContext(): CloneContext {
    return {
      ports: this.#ports,
      store: this.#store,
      storage: this.#storage.folder,
      repositoryAt: (path) => this.#repositoryAt(path),
    };
  }

  async #repositoryAt(path: string) {
    try {
      const unit = path === '' ? await this.#units.top() : await this.#units.nested(path);
      return unit.watch?.repository;
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  /** One thing at a time, in this process and in all others; what goes wrong is put in words. */
  #alone<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    return this.#sequencer.queue(async () => {
      signal?.throwIfAborted();
      try {
        return await this.#storage.alone(signal, task);
      } catch (error) {
        signal?.throwIfAborted();
        throw explainFailure(error);
      }
    });
  }
}
