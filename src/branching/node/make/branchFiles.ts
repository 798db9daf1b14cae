import { UserError } from '../../../base/errors.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import {
  lastReplaced,
  restoreWorkspace,
} from '../../../snapshots/node/restore/restoreWorkspace.ts';
import { referenceName } from '../../common/branchName.ts';
import type { BranchKind, BranchRecord } from '../../common/branchRecord.ts';
import { branchKindOf, unlinkedRepositories } from '../../common/unlinkedRepositories.ts';
import { carryFiles } from '../carry/carryFiles.ts';
import type { BranchPlan } from '../plan/planBranch.ts';
import { CopiedFolder } from './copiedFolder.ts';
import type { MakeOptions } from './makeOptions.ts';
import { separateRepository } from './separateRepository.ts';

interface CreatedFiles {
  readonly workspace: string;
  /** Differs from the planned kind if a repository was removed or lost a commit after planning. */
  readonly kind: BranchKind;
  /** Each warning is a sentence. */
  readonly warnings: readonly string[];
}

/** Creates the files of a branch, and removes them when a later step fails. */
export class BranchFiles {
  readonly #files: SessionFiles;
  readonly #plan: BranchPlan;
  readonly #options: MakeOptions;
  #isCreated = false;

  constructor(files: SessionFiles, plan: BranchPlan, options: MakeOptions) {
    this.#files = files;
    this.#plan = plan;
    this.#options = options;
  }

  /**
   * @param onDidBegin called when the provider has started, so that the caller can do other work
   * meanwhile
   */
  async create(onDidBegin: () => void): Promise<CreatedFiles> {
    const { destination, kind, name, files } = this.#plan;
    if (kind === 'in-place') {
      await this.#restoreInPlace();
      return { workspace: destination, kind, warnings: [] };
    }
    const provider = await this.#files.provider();
    const { workspace, repositories = [] } = await provider.clone({
      ref: files.ref,
      destination,
      name: referenceName(name),
      signal: this.#options.signal,
      onDidBegin,
    });
    this.#isCreated = true;
    const warnings = unlinkedRepositories(repositories);
    return { workspace, kind: branchKindOf(repositories), warnings };
  }

  /** Carries ignored files, and separates the branch from the original's repository. */
  async complete({ from, destination, workspace }: BranchRecord): Promise<readonly string[]> {
    if (this.#plan.kind === 'in-place') return [];
    const { signal, onProgress } = this.#options;
    const { warnings } = await carryFiles({
      from: this.#files.workspace,
      to: workspace,
      paths: this.#plan.carried,
      mode: this.#plan.carryMode,
      signal,
      onProgress: (path, done, total) => {
        if (path !== '') onProgress?.('carrying', `${path} (${done + 1} / ${total})`);
      },
    });
    const names = [from.workspace, ...(from.knownAs === undefined ? [] : [from.knownAs])];
    const copy = new CopiedFolder(destination, workspace, names);
    const separated = await separateRepository(copy, this.#plan.repositories);
    return [...separated, ...warnings];
  }

  async remove(): Promise<void> {
    if (!this.#isCreated) return;
    if (this.#plan.kind !== 'in-place') {
      await (await this.#files.provider()).removeClone(this.#plan.destination);
      return;
    }
    const replaced = await lastReplaced(this.#files.session.folder);
    const { signal } = new AbortController();
    await restoreWorkspace(this.#files, { ...replaced, label: 'undo', signal });
  }

  async #restoreInPlace(): Promise<void> {
    const { signal } = this.#options;
    const { skipped } = await restoreWorkspace(this.#files, {
      ...this.#plan.files,
      label: `Branch “${this.#plan.name}”`,
      signal,
    });
    this.#isCreated = true;
    signal.throwIfAborted();
    const [first] = skipped;
    if (!first) return;
    throw new UserError(
      'partly-restored',
      `Can't create the branch: ${first.step.path} can't be restored: ${first.reason}`,
    );
  }
}
