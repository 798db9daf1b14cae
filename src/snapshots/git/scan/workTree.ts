import type { GitLimits, GitPorts } from '../gitPorts.ts';
import type { ModeNotes } from '../modes/modeNotes.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { joinPath, relativeWithin } from '../../common/posixPath.ts';
import type { RepositoryWatch } from '../worktree/repositoryState.ts';
import { findRules } from '../rules/ruleOptions.ts';
import type { RuleOptions } from '../rules/ruleOptions.ts';
import type { GitRun } from '../gitCommand.ts';
import type { FileStat } from '../../common/ports.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import type { UntrackedListing } from './untrackedListing.ts';

/** A working tree that is scanned by itself: the workspace, and each repository nested in it. */
export interface WorkTree {
  /** Relative to the workspace. */
  readonly path: string;
  /** The folder whose `.gitignore` counts first: the repository's top. */
  readonly root: string;
  /** The part of it that is kept, relative to the root; `''` is all of it. */
  readonly prefix: string;
  /** None where there is no repository, or none that can be read. */
  readonly watch: RepositoryWatch | undefined;
  readonly memory: WorkTreeMemory;
}

/** What need not be found out again; lost without harm. */
export interface WorkTreeMemory {
  /** Tracked by the user though a rule ignores it, and the index for which that is so. */
  forced?: { readonly digest: string; readonly paths: ReadonlySet<string> };
  /** The set of such paths at the last scan. */
  scanned?: ReadonlySet<string>;
  /** The set of such paths that our index has all of. */
  settled?: ReadonlySet<string>;
  options?: RuleOptions;
  /** Nested repositories that our index has nothing of. */
  readonly separated: Set<string>;
  /** Of the rules outside the tree that our index was last cleaned by. */
  rules?: string;
  sight?: UntrackedListing;
  /** The tree of our index, for as long as it is the same file. */
  standing?: { readonly sign: string; readonly tree: string };
  /** What was read beside our index, and is not read again while it looks the same. By path, relative to the root. */
  beside?: ReadonlyMap<string, ReadFile>;
}

export interface ReadFile {
  readonly stat: FileStat;
  readonly item: TreeItem;
}

export interface ScanContext {
  readonly ports: GitPorts;
  readonly store: ObjectStore;
  readonly storage: string;
  /** Where the private indexes are. */
  readonly indexes: string;
  readonly limits: GitLimits;
  /** Where the permissions of what is looked at are noted. */
  readonly modes: ModeNotes;
  readonly signal: AbortSignal;
}

export function indexFileOf({ ports, indexes }: ScanContext, unit: WorkTree): string {
  const name = ports.coding.hash('sha1', [
    new TextEncoder().encode(`${unit.path}\n${unit.prefix}`),
  ]);
  return joinPath(indexes, name.slice(0, 20));
}

/** None is there, and nothing makes one: to git, all files are other ones then. */
export function noIndexOf({ storage }: ScanContext): string {
  return joinPath(storage, 'tmp/no-index');
}

/** Between paths of a unit's root and paths of the workspace. */
export class WorkTreePaths {
  readonly #unit: WorkTree;

  constructor(unit: WorkTree) {
    this.#unit = unit;
  }

  /** Undefined for what is not in the unit. */
  inUnit(path: string): string | undefined {
    const relative = relativeWithin(this.#unit.path, path);
    return relative === undefined ? undefined : joinRelative(this.#unit.prefix, relative);
  }

  inWorkspace(path: string): string {
    return joinRelative(this.#unit.path, relativeWithin(this.#unit.prefix, path) ?? path);
  }
}

export function joinRelative(folder: string, path: string): string {
  if (folder === '' || path === '') return folder + path;
  return `${folder}/${path}`;
}

/** Runs git with our store and our index, and the unit's files. */
export class WorkTreeGit {
  readonly #context: ScanContext;
  readonly #unit: WorkTree;
  readonly #settings: readonly string[];
  /** Options of `ls-files` for all rules that the user's own git follows there. */
  readonly excludes: readonly string[];
  /** Differs when rules outside the tree differ. */
  readonly rules: string;

  private constructor(
    context: ScanContext,
    unit: WorkTree,
    options: Pick<RuleOptions, 'settings' | 'excludes' | 'rules'>,
  ) {
    this.#context = context;
    this.#unit = unit;
    this.#settings = options.settings;
    this.excludes = options.excludes;
    this.rules = options.rules;
  }

  /** For commands that no rule has a say in. */
  static withoutRules(context: ScanContext, unit: WorkTree): WorkTreeGit {
    return new WorkTreeGit(context, unit, { settings: [], excludes: [], rules: '' });
  }

  /** @param rules `as-before`: the settings that the last scan found still hold */
  static async for(
    context: ScanContext,
    unit: WorkTree,
    rules: 'as-before' | 'anew' = 'anew',
  ): Promise<WorkTreeGit> {
    if (rules === 'anew' || !unit.memory.options) {
      unit.memory.options = await findRules(context, unit);
    }
    return new WorkTreeGit(context, unit, unit.memory.options);
  }

  run(args: readonly string[], run: Partial<GitRun> & { readonly index?: string } = {}) {
    const { store, signal } = this.#context;
    const { index = indexFileOf(this.#context, this.#unit), ...rest } = run;
    return store.git([...this.#settings, ...args], {
      ...rest,
      cwd: this.#unit.root,
      env: { GIT_WORK_TREE: this.#unit.root, GIT_INDEX_FILE: index },
      signal,
    });
  }

  get oidLength(): number {
    return this.#context.store.oidBytes * 2;
  }

  /** Options that restrict a command to the unit's part of the tree. */
  get within(): readonly string[] {
    return this.#unit.prefix === '' ? [] : ['--', this.#unit.prefix];
  }
}
