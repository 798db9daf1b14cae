import { messageOf, UserError } from '../../../base/errors.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { NO_OWNER, type BranchRecord } from '../../common/branchRecord.ts';
import type { PlannedMemory, RestoredMemory } from '../memory/agentMemory.ts';
import { BranchMemory } from '../memory/branchMemory.ts';
import { memoryRequest } from '../memory/memoryRequest.ts';
import { removeBranchesFolder } from '../plan/branchesFolder.ts';
import { damagedSnapshotError, isDamage } from '../plan/damagedSnapshot.ts';
import type { BranchParts, BranchPlan } from '../plan/planBranch.ts';
import { appendBranchToOriginal } from './branchEvents.ts';
import { BranchFiles } from './branchFiles.ts';
import { writeBranchFolder } from './branchFolder.ts';
import type { MakeOptions } from './makeOptions.ts';
import { branchLaunch, newBranchRecord } from './newBranchRecord.ts';

/**
 * Creates a planned branch, completely or not at all: after an error or a cancellation everything
 * is removed. The branch's record is written first, so that AH knows what to remove if the process
 * is killed.
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
    await making.undo(error);
    if (options.signal.aborted) {
      throw new UserError('cancelled', 'Cancelled: no branch was created.', { cause: error });
    }
    throw isDamage(error) ? await damagedSnapshotError(files, plan, error) : explained(error);
  }
}

class BranchMaking {
  readonly #files: SessionFiles;
  readonly #plan: BranchPlan;
  readonly #parts: BranchParts;
  readonly #options: MakeOptions;
  readonly #branchFiles: BranchFiles;
  #memory: BranchMemory | undefined;
  #record: BranchRecord;

  constructor(files: SessionFiles, plan: BranchPlan, parts: BranchParts, options: MakeOptions) {
    this.#files = files;
    this.#plan = plan;
    this.#parts = parts;
    this.#options = options;
    this.#branchFiles = new BranchFiles(files, plan, options);
    this.#record = newBranchRecord(files, plan);
  }

  async run(): Promise<BranchRecord> {
    const { signal, onProgress, isWaiting } = this.#options;
    const plan = this.#plan;
    const memory = await this.#beginMemory(plan.memory);
    onProgress?.('files', plan.snapshot.label);
    const created = await this.#branchFiles.create(() => {
      memory.writeOutside().catch(() => undefined); // #restoreMemory throws the error.
    });
    const { workspace, kind } = created;
    this.#record = { ...this.#record, workspace, kind };
    const completed = await this.#branchFiles.complete(this.#record);
    onProgress?.('agent', plan.agent ?? '');
    const restored = await this.#restoreMemory(memory);
    signal.throwIfAborted();
    const launch = branchLaunch(this.#record, this.#files, plan, restored);
    // A set, because the plan may contain the same warnings.
    const warnings = new Set([
      ...plan.warnings,
      ...created.warnings,
      ...completed,
      ...restored.warnings,
    ]);
    this.#record = {
      ...this.#record,
      state: 'ready',
      launch: { ...launch, warnings: [...warnings], isWaiting },
    };
    if (plan.kind !== 'in-place') writeBranchFolder(this.#record);
    // From this write on, the branch exists.
    await this.#parts.registry.put(this.#record);
    await this.#appendToOriginal();
    void this.#parts.registry.sync(this.#record);
    return this.#record;
  }

  /** Removes everything, or leaves a record of what could not be removed. */
  async undo(error: unknown): Promise<void> {
    if (this.#record.state === 'ready' && (await this.#isRegistered())) return;
    const { registry } = this.#parts;
    try {
      await this.#memory?.undo();
      await this.#branchFiles.remove();
      if (this.#plan.kind !== 'in-place') await removeBranchesFolder(this.#plan.destination);
      await registry.remove(this.#record.id);
    } catch (failure) {
      const reason = this.#options.signal.aborted ? 'Cancelled.' : messageOf(error);
      // This process may keep running: clear the owner, so that any process may remove the rest.
      await registry
        .put({ ...this.#record, state: 'making', owner: NO_OWNER })
        .catch(() => undefined); // The error below tells the user what is left.
      throw new UserError(
        'left-behind',
        `${reason} Can't remove the incomplete branch: ${messageOf(failure)} See: ah agent branches`,
        { cause: error },
      );
    }
  }

  async #isRegistered(): Promise<boolean> {
    return (await this.#parts.registry.get(this.#record.id))?.state === 'ready';
  }

  /**
   * Adds the files that the memory will create outside of the branch to the record, before they
   * exist.
   */
  async #beginMemory(planned: PlannedMemory): Promise<BranchMemory> {
    const memory = new BranchMemory(planned, this.#options.signal);
    this.#memory = memory;
    const made = await memory.filesOutside();
    this.#record = { ...this.#record, ...(made && { made }) };
    await this.#parts.registry.put(this.#record);
    return memory;
  }

  async #restoreMemory(begun: BranchMemory): Promise<RestoredMemory> {
    let memory = begun;
    await memory.writeOutside();
    const { kind, workspace } = this.#record;
    if (workspace !== this.#plan.destination || kind !== this.#plan.kind) {
      // The workspace or the kind of the branch differs from the plan: plan the memory again.
      await memory.undo();
      const { signal } = this.#options;
      const request = memoryRequest(this.#files, { ...this.#plan, kind }, workspace, signal);
      memory = await this.#beginMemory(await this.#parts.memory.plan(request));
      await memory.writeOutside();
    }
    return memory.restore();
  }

  /**
   * Appends the event about the branch. If this fails, the branch exists anyway and gets a warning.
   */
  async #appendToOriginal(): Promise<void> {
    const { launch } = this.#record;
    try {
      appendBranchToOriginal(this.#files.session, this.#record);
    } catch (error) {
      if (!launch) return;
      const warning = `Can't add the branch to the original session: ${messageOf(error)}`;
      const warnings = [...launch.warnings, warning];
      this.#record = { ...this.#record, launch: { ...launch, warnings } };
      // If this fails too, the warning is shown once but not stored.
      await this.#parts.registry.put(this.#record).catch(() => undefined);
    }
  }
}

/** Replaces errors of the file system by errors that tell the user the reason. */
function explained(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const where = path ? ` (${path})` : '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'disk-full') {
    const text = 'The disk is full: no branch was created.';
    return new UserError('disk-full', text, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const text = `Can't create the branch: no permission to write there${where}.`;
    return new UserError('no-permission', text, { cause: error });
  }
  return error;
}
