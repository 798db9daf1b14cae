import { UserError } from '../../base/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
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
} from '../common/provider.ts';
import { joinPath } from '../common/posixPath.ts';
import { cloneSnapshot, keptRepositories, removeClone } from './clone/gitClone.ts';
import type { CloneContext } from './clone/gitClone.ts';
import { explainFailure, isDiskFull } from './gitCommand.ts';
import {
  collectGarbage,
  costOf,
  dropUnused,
  listSnapshots,
  packLooseObjects,
  releaseAll,
  removeSnapshots,
} from './objects/gitRetention.ts';
import { GitTree } from './objects/gitTree.ts';
import { ignoredNow } from './rules/ignoredNow.ts';
import { keepState, findExisting } from './scan/keepState.ts';
import { diffStates } from './modes/modeChanges.ts';
import type { ObjectStore } from './objects/objectStore.ts';
import { readScanState } from './scan/scanState.ts';
import { checkObjects, scrubSnapshots } from './objects/scrubStore.ts';
import { filesOf, readRecord } from './objects/snapshotRecord.ts';
import { WorkspaceScanner, type GitParts } from './scan/workspaceScanner.ts';

/** So often loose objects are packed: each snapshot leaves some ten of them. */
const PACK_EVERY = 300;

/** Keeps states of a workspace as commits of a repository of our own; see `docs/decisions/0010-…`. */
export class GitProvider implements SnapshotProvider {
  readonly name = 'git';
  readonly workspace: string;
  readonly #parts: GitParts;
  readonly #store: ObjectStore;
  readonly #sight: WorkspaceScanner;
  readonly #sequencer = new Sequencer();
  #taken = 0;

  constructor(parts: GitParts) {
    this.workspace = parts.workspace;
    this.#parts = parts;
    this.#store = parts.store;
    this.#sight = new WorkspaceScanner(parts);
  }

  async take(request: TakeRequest): Promise<TakenSnapshot> {
    if (!/^[\w-]+$/.test(request.name)) throw new Error(`${request.name} is no snapshot name.`);
    const taken = await this.#alone(request.signal, async () => {
      const before = await findExisting(this.#store, request.reuseIfExists?.() ?? []);
      if (before) return before;
      try {
        const state = await this.#sight.readState();
        const scan = await this.#sight.scan(state, request.signal, request.changedPaths);
        return await keepState({ ...this.#parts, sight: this.#sight }, state, scan, request);
      } catch (error) {
        await this.#sight.forgetModes();
        // What was written for nothing must not be what keeps the disk full.
        if (isDiskFull(error)) await this.#sight.collect(() => dropUnused(this.#store));
        throw error;
      }
    });
    this.#taken += 1;
    if (this.#taken % PACK_EVERY === 0) {
      // Behind the back of whoever waits for the snapshot. What fails now is done the next time.
      // Untested: packing removes no object before its pack is whole; the next one tries again.
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
      return diffStates(this.#store, before, await this.#sight.scanAside(signal), signal);
    });
  }

  async ignored(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const state = await readScanState(this.#parts.ports, this.#parts.storage.folder);
      const context = await this.#sight.context(state, signal);
      return await ignoredNow(context, this.#sight.units, state.last?.nested ?? []);
    } catch (error) {
      signal.throwIfAborted();
      throw explainFailure(error);
    }
  }

  async clone(request: CloneRequest): Promise<ClonedFolder> {
    const record = await readRecord(this.#store, request.ref);
    return this.#alone(request.signal, async () => {
      await this.#sight.readState();
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
      const count = await removeSnapshots(this.#parts.ports, this.#store, refs, (path) =>
        this.#repositoryAt(path),
      );
      if (count === 0) return;
      // Our indexes may still have contents that nobody else needs.
      this.#sight.units.forgetTrees();
      await this.#sight.scanAside(new AbortController().signal).catch((error: unknown) => {
        // Where the files cannot be looked at now, what is free now goes all the same.
        // Untested: a bug's error; the references are gone already, and garbage stays.
        if (!(explainFailure(error) instanceof UserError)) throw error;
      });
      await this.#sight.collect(() => collectGarbage(this.#store));
    });
  }

  releaseExternalRefs(): Promise<void> {
    return this.#alone(undefined, () =>
      releaseAll(this.#store, (path) => this.#repositoryAt(path)),
    );
  }

  scrub(scrub: Scrub, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return this.#alone(signal, async () => {
      const state = await this.#sight.readState();
      const replaced = await scrubSnapshots(this.#store, scrub, signal);
      // Our indexes name contents that go now.
      await this.#sight.startOver(state);
      // They hold on to trees as they were.
      await this.#parts.ports.files.removeTree(joinPath(this.#store.gitDir, 'refs/cache'));
      await this.#sight.collect(() => collectGarbage(this.#store));
      await checkObjects(this.#store, scrub, signal);
      return replaced;
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #cloneContext(): CloneContext {
    return {
      ports: this.#parts.ports,
      store: this.#store,
      storage: this.#parts.storage.folder,
      repositoryAt: (path) => this.#repositoryAt(path),
    };
  }

  async #repositoryAt(path: string) {
    try {
      const unit =
        path === '' ? await this.#sight.units.top() : await this.#sight.units.nested(path);
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
        return await this.#parts.storage.alone(signal, task);
      } catch (error) {
        signal?.throwIfAborted();
        throw explainFailure(error);
      }
    });
  }
}
