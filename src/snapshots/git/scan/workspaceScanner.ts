import type { Omission } from '../../common/provider.ts';
import type { GitLimits, GitPorts } from '../gitPorts.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import type { FilesWithModes } from '../modes/modeChanges.ts';
import { knownModes, ModeNotes, modesOf, type SeenModes } from '../modes/modeNotes.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { readScanState, writeScanState } from './scanState.ts';
import type { ScanState } from './scanState.ts';
import type { Storage } from '../storage.ts';
import type { ScanContext } from './workTree.ts';
import { WorkTrees } from './workTrees.ts';
import { scanWorkspace, updateWorkspace } from './workspaceScan.ts';
import type { WorkspaceScan } from './workspaceScan.ts';

export interface ScanWithModes extends WorkspaceScan {
  readonly modes: SeenModes;
}

export interface GitParts {
  readonly workspace: string;
  readonly storage: Storage;
  readonly store: ObjectStore;
  readonly ports: GitPorts;
  readonly limits: GitLimits;
}

/**
 * Scans a workspace and remembers what need not be looked at again. Callers hold the storage lock.
 */
export class WorkspaceScanner {
  readonly workTrees: WorkTrees;
  readonly #parts: GitParts;
  /**
   * The last snapshot that this process took. Its identity is compared with the stored state: if
   * another process took a later snapshot, reported paths alone are not enough. Has all omissions,
   * because the stored list may be cut: what it only counts can't be told from what is new.
   */
  #last: { readonly identity: string; readonly omissions: readonly Omission[] } | undefined;
  #collected: number | undefined;

  constructor(parts: GitParts) {
    this.#parts = parts;
    this.workTrees = new WorkTrees(parts.ports, parts.store, parts.workspace);
  }

  /** Reads the scan state. If another process collected garbage, forgets cached objects. */
  async readState(): Promise<ScanState> {
    const state = await this.#read();
    if (state.collected !== this.#collected) {
      this.#parts.store.forget();
      this.workTrees.forgetObjects();
      this.#collected = state.collected;
    }
    return state;
  }

  /** Call when objects that were written in this process are lost. */
  forgetObjects(): void {
    this.#parts.store.forget();
    this.workTrees.forgetObjects();
    this.workTrees.forgetTrees();
  }

  /**
   * Records a snapshot for the next scan to build on.
   * @param omissions all of them; `last` may have a cut list
   */
  async recordTaken(
    state: ScanState,
    last: NonNullable<ScanState['last']>,
    omissions: readonly Omission[],
  ): Promise<void> {
    await this.#write({ ...state, last });
    this.#last = { identity: last.identity, omissions };
  }

  /** Makes the next scan look at everything, with new indexes. */
  async startOver({ generation, collected = 0 }: ScanState): Promise<void> {
    await this.#write({ generation: generation + 1, collected });
    await this.#parts.storage.removeIndexes(generation);
    this.workTrees.forgetObjects();
    this.workTrees.forgetTrees();
    this.#last = undefined;
  }

  /**
   * Removes unreferenced objects. Counts this in the scan state first, so that other processes
   * forget their cached objects.
   */
  async collect(task: () => Promise<void>): Promise<void> {
    this.#collected = -1;
    const state = await this.#read();
    await this.#write({ ...state, collected: (state.collected ?? 0) + 1 }).catch(
      // The disk may be full until the task has freed space.
      unlessDiskFull,
    );
    await task();
  }

  /** Scans everything without taking a snapshot. */
  async scanWithoutSnapshot(signal: AbortSignal): Promise<FilesWithModes> {
    const state = await this.readState();
    const scan = await this.scan(state, signal).catch(async (error: unknown) => {
      await this.forgetModes();
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
      if (hasNewModes && modes.tree) this.#parts.store.setRef('cache/modes', modes.tree);
      await this.#write(next);
    }
    return { files, modes };
  }

  /**
   * Forgets permissions after a failed scan, which may have updated our indexes without storing new
   * permissions.
   */
  async forgetModes(): Promise<void> {
    const state = await this.#read();
    if (!state.modes) return;
    // If the disk is full, the failure that led here reports it.
    await this.#write({ ...state, modes: undefined }).catch(unlessDiskFull);
  }

  async scan(
    state: ScanState,
    signal: AbortSignal,
    changedPaths?: readonly string[],
  ): Promise<ScanWithModes> {
    const context = await this.context(state, signal);
    const { store, workspace } = this.#parts;
    const { last } = state;
    const known = await knownModes(store, state);
    if (changedPaths && known && last && last.identity === this.#last?.identity) {
      const { omissions } = this.#last;
      const whole = { ...last, omissions };
      const updated = await updateWorkspace(context, this.workTrees, whole, changedPaths).catch(
        (error: unknown) => {
          // Scan everything instead: that needs no earlier state, and reports the actual error.
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
    const anew = { ...context, modes: new ModeNotes(workspace) };
    const scan = await scanWorkspace(anew, this.workTrees, doubts);
    const modes = await modesOf(anew, scan.files, scan.hasUnseen ? undefined : known);
    return { ...scan, modes };
  }

  async context({ generation }: ScanState, signal: AbortSignal): Promise<ScanContext> {
    const { ports, store, limits, storage, workspace } = this.#parts;
    const indexes = await storage.indexes(generation);
    const modes = new ModeNotes(workspace);
    return { ports, store, limits, storage: storage.folder, indexes, modes, signal };
  }

  #read(): Promise<ScanState> {
    return readScanState(this.#parts.ports, this.#parts.storage.folder);
  }

  #write(state: ScanState): Promise<void> {
    return writeScanState(this.#parts.ports, this.#parts.storage.folder, state);
  }
}

function unlessDiskFull(error: unknown): void {
  // Untested: any other error ends collect() before it removes an object.
  if (!isDiskFull(error)) throw error;
}
