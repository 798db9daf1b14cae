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
import { explainFailure, GitFailure, isDiskFull } from './gitCommand.ts';
import {
  collectGarbage,
  diskUsageOf,
  listSnapshots,
  releaseAll,
  removeSnapshots,
} from './objects/gitRetention.ts';
import { mendStore, proveSnapshot } from './objects/mendStore.ts';
import { GitTree } from './objects/gitTree.ts';
import { ignoredNow } from './rules/ignoredNow.ts';
import { storeSnapshot, findExisting } from './scan/storeSnapshot.ts';
import { diffStates } from './modes/modeChanges.ts';
import type { ObjectStore } from './objects/objectStore.ts';
import { readScanState } from './scan/scanState.ts';
import { checkObjects, moveReferences, PREPARED, rewriteSnapshots } from './objects/scrubStore.ts';
import { filesOf, readRecord } from './objects/gitSnapshotRecord.ts';
import { WorkspaceScanner, type GitParts } from './scan/workspaceScanner.ts';

/** Each snapshot adds a pack, and git searches all packs: above this number, small ones are merged. */
const MAX_PACKS = 50;

/** Stores snapshots as commits of our own repository; see `docs/decisions/0010-…`. */
export class GitProvider implements SnapshotProvider {
  readonly name = 'git';
  readonly workspace: string;
  readonly #parts: GitParts;
  readonly #store: ObjectStore;
  readonly #scanner: WorkspaceScanner;
  readonly #sequencer = new Sequencer();
  #isMended = false;

  constructor(parts: GitParts) {
    this.workspace = parts.workspace;
    this.#parts = parts;
    this.#store = parts.store;
    this.#scanner = new WorkspaceScanner(parts);
  }

  async take(request: TakeRequest): Promise<TakenSnapshot> {
    if (!/^[\w-]+$/.test(request.name))
      throw new Error(`${request.name} is not a valid snapshot name.`);
    const taken = await this.#exclusively(request.signal, async () => {
      const before = await findExisting(this.#store, request.reuseIfExists?.() ?? []);
      if (before) return before;
      try {
        const state = await this.#scanner.readState();
        const scan = await this.#scanner.scan(state, request.signal, request.changedPaths);
        return await storeSnapshot(
          { ...this.#parts, scanner: this.#scanner },
          state,
          scan,
          request,
        );
      } catch (error) {
        await this.#scanner.forgetModes();
        // Remove what the failed snapshot wrote: it must not keep the disk full.
        if (isDiskFull(error)) {
          await this.#store.discard();
          this.#scanner.forgetObjects();
        }
        throw error;
      }
    });
    this.#mergePacks();
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
    // Compare under the lock: no reference protects the scanned objects from garbage collection.
    return this.#exclusively(signal, async () => {
      return diffStates(
        this.#store,
        before,
        await this.#scanner.scanWithoutSnapshot(signal),
        signal,
      );
    });
  }

  async ignored(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const state = await readScanState(this.#parts.ports, this.#parts.storage.folder);
      const context = await this.#scanner.context(state, signal);
      return await ignoredNow(context, this.#scanner.workTrees, state.last?.nested ?? []);
    } catch (error) {
      signal.throwIfAborted();
      throw explainFailure(error);
    }
  }

  async clone(request: CloneRequest): Promise<ClonedFolder> {
    const record = await readRecord(this.#store, request.ref);
    return this.#exclusively(request.signal, async () => {
      await this.#scanner.readState();
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
    return this.#exclusively(undefined, () => removeClone(this.#cloneContext(), destination));
  }

  prove(ref: string): Promise<void> {
    return this.#exclusively(undefined, () => proveSnapshot(this.#store, ref));
  }

  async list(): Promise<readonly string[]> {
    const listed = await listSnapshots(this.#store).catch(async (error: unknown) => {
      if (!(error instanceof GitFailure)) throw error;
      // A reference names a missing object: mend the store.
      await this.#exclusively(undefined, () => Promise.resolve());
      return listSnapshots(this.#store);
    });
    return listed.map(({ ref }) => ref);
  }

  cost(refs: readonly string[], signal?: AbortSignal): Promise<number> {
    return diskUsageOf(this.#store, refs, signal);
  }

  remove(refs: readonly string[]): Promise<void> {
    return this.#exclusively(undefined, async () => {
      const count = await removeSnapshots(this.#parts.ports, this.#store, refs, (path) =>
        this.#repositoryAt(path),
      );
      if (count === 0) return;
      // Our indexes may refer to objects that the garbage collection below removes.
      this.#scanner.workTrees.forgetTrees();
      await this.#scanner
        .scanWithoutSnapshot(new AbortController().signal)
        .catch((error: unknown) => {
          // If the files can't be scanned now, still remove the objects that nothing refers to.
          // Untested: any other error is a bug. The references are already removed; their objects
          // stay.
          if (!(explainFailure(error) instanceof UserError)) throw error;
        });
      await this.#scanner.collect(() => collectGarbage(this.#store));
    });
  }

  releaseExternalRefs(): Promise<void> {
    return this.#exclusively(undefined, () =>
      releaseAll(this.#store, (path) => this.#repositoryAt(path)),
    );
  }

  prepareScrub(scrub: Scrub, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return this.#exclusively(signal, async () => {
      // Forgets objects that another process has removed.
      await this.#scanner.readState();
      await this.#parts.ports.files.removeTree(joinPath(this.#store.gitDir, PREPARED));
      // On disk when this returns, in case of a power cut.
      return rewriteSnapshots(this.#store, scrub, signal);
    });
  }

  finishScrub(replaced: ReadonlyMap<string, string>): Promise<void> {
    return this.#exclusively(undefined, async () => {
      const state = await this.#scanner.readState();
      await moveReferences(this.#store, replaced);
      // The prepared references protect the new objects until then.
      await this.#store.publish();
      // Our indexes refer to objects that the garbage collection below removes.
      await this.#scanner.startOver(state);
      // The first are references to trees that still contain the text.
      for (const references of ['refs/cache', PREPARED])
        await this.#parts.ports.files.removeTree(joinPath(this.#store.gitDir, references));
      await this.#scanner.collect(() => collectGarbage(this.#store));
    });
  }

  verifyScrub(scrub: Scrub, signal: AbortSignal): Promise<void> {
    return this.#exclusively(signal, () => checkObjects(this.#store, scrub, signal));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #mendOnce(): Promise<void> {
    if (this.#isMended) return;
    const wasDamaged = await mendStore(this.#parts.ports, this.#store);
    // Our indexes may refer to objects that are lost.
    if (wasDamaged) await this.#scanner.startOver(await this.#scanner.readState());
    this.#isMended = true;
  }

  /** Merges small packs in the background. A failed attempt is repeated after the next snapshot. */
  #mergePacks(): void {
    const merge = async () => {
      // Untested: git removes no pack before the new one is complete.
      if ((await this.#store.packCount()) > MAX_PACKS) await this.#store.mergeSmallPacks();
    };
    void this.#sequencer.queue(merge).catch(() => undefined);
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
      const workTree =
        path === ''
          ? await this.#scanner.workTrees.top()
          : await this.#scanner.workTrees.nested(path);
      return workTree.watch?.repository;
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }

  /** Runs one task at a time across all processes; turns failures into errors for the user. */
  #exclusively<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    return this.#sequencer.queue(async () => {
      signal?.throwIfAborted();
      try {
        return await this.#parts.storage.exclusively(signal, () =>
          this.#store.staging(
            async () => {
              await this.#mendOnce();
              return task();
            },
            () => this.#scanner.forgetObjects(),
          ),
        );
      } catch (error) {
        signal?.throwIfAborted();
        throw explainFailure(error);
      }
    });
  }
}
