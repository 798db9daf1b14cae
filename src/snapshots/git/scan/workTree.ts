import type { GitLimits, GitPorts } from '../gitPorts.ts';
import type { ModeNotes } from '../modes/modeNotes.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { joinPath, relativeWithin } from '../../common/posixPath.ts';
import type { RepositoryWatch } from '../worktree/repositoryState.ts';
import type { FileStat } from '../../common/ports.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import type { UntrackedListing } from './untrackedListing.ts';

/** A folder that is scanned on its own: the workspace, and each repository nested in it. */
export interface WorkTree {
  /** Relative to the workspace. */
  readonly path: string;
  /** The folder whose `.gitignore` is read first: the repository's top. */
  readonly root: string;
  /** The scanned part of the repository, relative to the root; `''` for all of it. */
  readonly prefix: string;
  /** Undefined if there is no readable repository. */
  readonly watch: RepositoryWatch | undefined;
  readonly memory: WorkTreeMemory;
}

/** How git finds the ignore rules of a work tree. */
export interface RuleOptions {
  readonly settings: readonly string[];
  readonly excludes: readonly string[];
  /** A text that differs if the rules differ. */
  readonly rules: string;
  /** All files that determine the rules, including missing ones. */
  readonly sources: readonly string[];
  /** Fingerprint of the sources: while it is the same, the rules are the same. */
  readonly fingerprint: string;
}

/** Cached facts: if they are lost, the next scan finds them again. */
export interface WorkTreeMemory {
  /** Ignored files that the user's index tracks, and the index they were read from. */
  forced?: { readonly digest: string; readonly paths: ReadonlySet<string> };
  /** The set of these tracked ignored files at the last scan. */
  scanned?: ReadonlySet<string>;
  /** The set of tracked ignored files, if our index has all of them. */
  settled?: ReadonlySet<string>;
  options?: RuleOptions;
  /** Nested repositories of which our index has no files. */
  readonly separated: Set<string>;
  /** The rules outside of the work tree by which files were last dropped from our index. */
  rules?: string;
  listing?: UntrackedListing;
  /** The tree of our index, valid while the index file has this fingerprint. */
  indexTree?: { readonly fingerprint: string; readonly tree: string };
  /**
   * Files read without updating our index; reused while their stat data is the same. By path,
   * relative to the root.
   */
  unindexed?: ReadonlyMap<string, ReadFile>;
}

export interface ReadFile {
  readonly stat: FileStat;
  readonly item: TreeItem;
}

export interface ScanContext {
  readonly ports: GitPorts;
  readonly store: ObjectStore;
  readonly storage: string;
  /** The folder of our indexes. */
  readonly indexes: string;
  readonly limits: GitLimits;
  /** Collects the permissions that the scan sees. */
  readonly modes: ModeNotes;
  readonly signal: AbortSignal;
}

export function indexFileOf({ ports, indexes }: ScanContext, workTree: WorkTree): string {
  const name = ports.coding.hash('sha1', [
    new TextEncoder().encode(`${workTree.path}\n${workTree.prefix}`),
  ]);
  return joinPath(indexes, name.slice(0, 20));
}

/** The path of an index that never exists, so that git treats every file as untracked. */
export function noIndexOf({ storage }: ScanContext): string {
  return joinPath(storage, 'tmp/no-index');
}

/** Converts between paths relative to a work tree's root and to the workspace. */
export class WorkTreePaths {
  readonly #workTree: WorkTree;

  constructor(workTree: WorkTree) {
    this.#workTree = workTree;
  }

  /** Returns undefined if the path is not in the work tree. */
  inWorkTree(path: string): string | undefined {
    const relative = relativeWithin(this.#workTree.path, path);
    return relative === undefined ? undefined : joinRelative(this.#workTree.prefix, relative);
  }

  inWorkspace(path: string): string {
    return joinRelative(this.#workTree.path, relativeWithin(this.#workTree.prefix, path) ?? path);
  }
}

export function joinRelative(folder: string, path: string): string {
  if (folder === '' || path === '') return folder + path;
  return `${folder}/${path}`;
}
