import { messageOf, UserError } from '../../../base/errors.ts';
import { NOBODY, type BranchRecord } from '../../common/branchRecord.ts';
import { referenceName } from '../../common/branchName.ts';
import { branchEnvironment } from '../../common/provenance.ts';
import { kindOfFolder, unlinkedRepositories } from '../../common/unlinkedRepositories.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';
import { newSessionId } from '../../../sessions/node/recorderLauncher.ts';
import {
  lastReplaced,
  momentState,
  restoreWorkspace,
} from '../../../snapshots/node/restoreWorkspace.ts';
import type { SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { SystemClock } from '../../../platform/node/systemClock.ts';
import type { BegunMemory, PlannedMemory, RestoredMemory } from '../memory/agentMemory.ts';
import { writeBranchFolder } from './branchFolder.ts';
import { tellParent } from './branchEvents.ts';
import { removeBranchesFolder } from '../plan/branchesFolder.ts';
import { movedFolder } from '../branchWorkspace.ts';
import { carryFiles } from '../carry/carryFiles.ts';
import { CopiedFolder } from './copiedFolder.ts';
import { isDamage, withProposal } from '../plan/damagedSnapshot.ts';
import { separateRepository } from './separateRepository.ts';
import { memoryRequest, type BranchParts, type BranchPlan } from '../plan/planBranch.ts';

export type MakingStep = 'files' | 'carrying' | 'agent';

export interface MakeOptions {
  readonly signal: AbortSignal;
  /** Whether the next window on the branch's workspace is to start the agent. */
  readonly isWaiting: boolean;
  /** @param detail what is being worked on */
  readonly onProgress?: (step: MakingStep, detail: string) => void;
}

/**
 * Makes what was planned, or nothing: what fails or is cancelled is taken back. A record is written before anything is made,
 * so that after a kill it is known what has to go.
 */
export async function makeBranch(
  files: SessionFiles,
  plan: BranchPlan,
  parts: BranchParts,
  options: MakeOptions,
): Promise<BranchRecord> {
  const making = new BranchMaking(files, plan, parts, options);
  try {
    return await making.run();
  } catch (error) {
    await making.takeBack(error);
    if (options.signal.aborted) {
      throw new UserError('cancelled', 'Cancelled: no branch was made.', { cause: error });
    }
    throw isDamage(error) ? await withProposal(files, plan, error) : explained(error);
  }
}

class BranchMaking {
  readonly #files: SessionFiles;
  readonly #plan: BranchPlan;
  readonly #parts: BranchParts;
  readonly #options: MakeOptions;
  #record: BranchRecord;
  #placing: Promise<void> | undefined;
  #memory: BegunMemory | undefined;
  #isMade = false;
  /** Sentences about what turned out when the files were made. */
  #turnedOut: readonly string[] = [];

  constructor(files: SessionFiles, plan: BranchPlan, parts: BranchParts, options: MakeOptions) {
    this.#files = files;
    this.#plan = plan;
    this.#parts = parts;
    this.#options = options;
    const { snapshot, moment, destination } = plan;
    this.#record = {
      ...{ version: 1, id: newSessionId(), name: plan.name, state: 'making' },
      ...{ owner: nodeProcesses.own, createdAtNs: new SystemClock().nowNs() },
      ...{ kind: plan.kind, provider: plan.files.provider, destination, workspace: destination },
      from: {
        ...{ sessionId: files.session.meta.id, workspace: files.workspace },
        ...(files.knownAs !== files.workspace && { knownAs: files.knownAs }),
        ...{ snapshotId: snapshot.id, snapshotRef: plan.files.ref },
        ...{ byte: moment.byte, timeNs: moment.timeNs },
      },
      ...(plan.message !== undefined && { message: plan.message }),
    };
  }

  async run(): Promise<BranchRecord> {
    const { signal, onProgress } = this.#options;
    const begun = await this.#begin(this.#plan.memory);
    onProgress?.('files', this.#plan.snapshot.label);
    // What the agent knows is put where it looks for it while its files are made.
    const workspace = await this.#makeFiles(() => {
      this.#place(begun).catch(() => undefined); // It is waited for below, unless the files fail.
    });
    const warnings = await this.#complete(workspace);
    onProgress?.('agent', this.#plan.agent ?? '');
    const memory = await this.#restoreMemory(workspace, begun);
    signal.throwIfAborted();
    const { method, details } = memory;
    const { from, id, name } = this.#record;
    const provenance = {
      ...{ fromSessionId: from.sessionId, fromTs: from.timeNs, fromByte: from.byte },
      ...{ fsSnapshotId: from.snapshotId, method, name },
    };
    const { message } = this.#plan;
    const { meta } = this.#files.session;
    this.#record = {
      ...this.#record,
      ...{ state: 'ready', workspace },
      launch: {
        cmd: memory.cmd,
        cwd: movedFolder(meta.cwd, this.#files.knownAs, workspace),
        env: {
          ...memory.env,
          ...branchEnvironment(id, provenance, from.workspace, message),
        },
        ...(this.#plan.agent !== undefined && { agent: this.#plan.agent }),
        ...{ method, details },
        // What was foreseen may have happened, and is said once.
        warnings: [...new Set([...this.#plan.warnings, ...warnings, ...memory.warnings])],
        isWaiting: this.#options.isWaiting,
      },
    };
    if (this.#plan.kind !== 'in-place') writeBranchFolder(this.#record);
    // From here on it exists.
    await this.#parts.registry.put(this.#record);
    await this.#tellParent();
    void this.#parts.registry.keepForGood(this.#record);
    return this.#record;
  }

  /** The branch is there, with or without a word of it in the session that it comes from. */
  async #tellParent(): Promise<void> {
    const { launch } = this.#record;
    try {
      tellParent(this.#files.session, this.#record);
    } catch (error) {
      const warning = `The session that it comes from could not be told of the branch: ${messageOf(error)}`;
      this.#record = {
        ...this.#record,
        ...(launch && { launch: { ...launch, warnings: [...launch.warnings, warning] } }),
      };
      await this.#parts.registry.put(this.#record).catch(() => undefined);
    }
  }

  /** Writes down what is going to be made, before anything is. */
  async #begin(planned: PlannedMemory): Promise<BegunMemory> {
    const memory = planned.begin(this.#options.signal);
    this.#memory = memory;
    const made = await memory.foresee();
    this.#record = { ...this.#record, ...(made && { made }) };
    await this.#parts.registry.put(this.#record);
    return memory;
  }

  #place(memory: BegunMemory): Promise<void> {
    return (this.#placing = memory.placeOutside());
  }

  async #restoreMemory(workspace: string, begun: BegunMemory): Promise<RestoredMemory> {
    let memory = begun;
    await (this.#placing ?? this.#place(memory));
    const { kind } = this.#record;
    if (workspace !== this.#plan.destination || kind !== this.#plan.kind) {
      // Of a part of a repository, or on another disk, it is elsewhere; or it is another kind of folder than was planned.
      await memory.undo();
      const { signal } = this.#options;
      const request = memoryRequest(this.#files, { ...this.#plan, kind }, workspace, signal);
      memory = await this.#begin(await this.#parts.memory.plan(request));
      await this.#place(memory);
    }
    this.#options.signal.throwIfAborted();
    return memory.restore();
  }

  /** Not before whoever is at work on it has come to an end. */
  async #undoMemory(): Promise<void> {
    await this.#placing?.catch(() => undefined);
    await this.#memory?.undo();
  }

  /** Nothing is left, or what is left has a record that says so. */
  async takeBack(error: unknown): Promise<void> {
    if (this.#record.state === 'ready' && (await this.#isRegistered())) return;
    try {
      await this.#undoMemory();
      await this.#removeFiles();
      if (this.#plan.kind !== 'in-place') await removeBranchesFolder(this.#plan.destination);
      await this.#parts.registry.remove(this.#record.id);
    } catch (failure) {
      const reason = this.#options.signal.aborted ? 'Cancelled.' : messageOf(error);
      await this.#giveUp().catch(() => undefined);
      throw new UserError(
        'left-behind',
        `${reason} What was made until then could not be removed: ${messageOf(failure)} See: ah agent branches`,
        { cause: error },
      );
    }
  }

  /** This process may live for long, and is not at work on it any more: from now on everybody may remove it. */
  async #giveUp(): Promise<void> {
    await this.#parts.registry.put({ ...this.#record, state: 'making', owner: NOBODY });
  }

  async #isRegistered(): Promise<boolean> {
    return (await this.#parts.registry.get(this.#record.id))?.state === 'ready';
  }

  /** @param onDidBegin called when all that is left to do is to wait */
  async #makeFiles(onDidBegin: () => void): Promise<string> {
    const { signal } = this.#options;
    const { destination, kind } = this.#plan;
    const { ref } = this.#plan.files;
    const label = `Branch “${this.#plan.name}”`;
    if (kind === 'in-place') {
      const { skipped } = await restoreWorkspace(this.#files, {
        ...{ ...momentState(this.#plan.files), label, signal },
      });
      this.#isMade = true;
      signal.throwIfAborted();
      const [left] = skipped;
      if (left) {
        const reason = `${left.step.path} cannot be put back: ${left.reason}`;
        throw new UserError('partly-restored', `${reason} Nothing was branched.`);
      }
      return destination;
    }
    const provider = await this.#files.provider();
    const name = referenceName(this.#plan.name);
    const request = { ref, destination, name, signal, onDidBegin };
    const { workspace, repositories = [] } = await provider.clone(request);
    this.#isMade = true;
    // A repository may have gone, or lost a commit, since it was planned.
    this.#record = { ...this.#record, kind: kindOfFolder(repositories) };
    this.#turnedOut = unlinkedRepositories(repositories);
    return workspace;
  }

  /** What a snapshot does not hold. */
  async #complete(workspace: string): Promise<string[]> {
    if (this.#plan.kind === 'in-place') return [];
    const { signal, onProgress } = this.#options;
    const { warnings } = await carryFiles({
      ...{ from: this.#files.workspace, to: workspace, paths: this.#plan.carried },
      ...{ mode: this.#plan.carryMode, signal },
      onProgress: (path, done, total) => {
        if (path !== '') onProgress?.('carrying', `${path} (${done + 1} / ${total})`);
      },
    });
    const { from, destination } = this.#record;
    const names = [from.workspace, ...(from.knownAs === undefined ? [] : [from.knownAs])];
    const copy = new CopiedFolder(destination, workspace, names);
    const separated = await separateRepository(copy, this.#plan.repositories);
    return [...this.#turnedOut, ...separated, ...warnings];
  }

  async #removeFiles(): Promise<void> {
    if (!this.#isMade) return;
    if (this.#plan.kind !== 'in-place') {
      await (await this.#files.provider()).removeClone(this.#plan.destination);
      return;
    }
    const replaced = await lastReplaced(this.#files.session.folder);
    const { signal } = new AbortController();
    await restoreWorkspace(this.#files, { ...replaced, label: 'undo', signal });
  }
}

/** What a file system says, in words. */
function explained(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const where = path ? ` (${path})` : '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'disk-full') {
    const text = 'The disk is full: no branch was made.';
    return new UserError('disk-full', text, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new UserError('no-permission', `The branch may not be written there${where}.`, {
      cause: error,
    });
  }
  return error;
}
