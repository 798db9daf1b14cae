import { findRules } from '../rules/ruleOptions.ts';
import type { ListingGit, ListingRun } from './untrackedListing.ts';
import { indexFileOf, type RuleOptions, type ScanContext, type WorkTree } from './workTree.ts';

/** Runs git with our store and index on the files of a work tree. */
export class WorkTreeGit implements ListingGit {
  readonly #context: ScanContext;
  readonly #workTree: WorkTree;
  readonly #settings: readonly string[];
  /** Options of `ls-files` for all rules that the user's git follows in this work tree. */
  readonly excludes: readonly string[];
  /** A text that differs if the rules outside of the work tree differ. */
  readonly rules: string;

  private constructor(
    context: ScanContext,
    workTree: WorkTree,
    options: Pick<RuleOptions, 'settings' | 'excludes' | 'rules'>,
  ) {
    this.#context = context;
    this.#workTree = workTree;
    this.#settings = options.settings;
    this.excludes = options.excludes;
    this.rules = options.rules;
  }

  /** For commands that don't depend on rules. */
  static withoutRules(context: ScanContext, workTree: WorkTree): WorkTreeGit {
    return new WorkTreeGit(context, workTree, { settings: [], excludes: [], rules: '' });
  }

  /** @param rules `as-before`: reuse the settings that the last scan found */
  static async for(
    context: ScanContext,
    workTree: WorkTree,
    rules: 'as-before' | 'anew' = 'anew',
  ): Promise<WorkTreeGit> {
    if (rules === 'anew' || !workTree.memory.options) {
      workTree.memory.options = await findRules(context, workTree);
    }
    return new WorkTreeGit(context, workTree, workTree.memory.options);
  }

  run(args: readonly string[], run: ListingRun = {}) {
    const { store, signal } = this.#context;
    const { index = indexFileOf(this.#context, this.#workTree), ...rest } = run;
    return store.gitOnFiles([...this.#settings, ...args], {
      ...rest,
      cwd: this.#workTree.root,
      env: { GIT_WORK_TREE: this.#workTree.root, GIT_INDEX_FILE: index },
      signal,
    });
  }

  get oidLength(): number {
    return this.#context.store.oidBytes * 2;
  }

  /** Options that restrict a command to the scanned part of the repository. */
  get within(): readonly string[] {
    return this.#workTree.prefix === '' ? [] : ['--', this.#workTree.prefix];
  }
}
