import { type Dirent, lstatSync, opendirSync } from 'node:fs';
import path from 'node:path';
import { isMatched, type CarryPattern } from '../../common/carriedFiles.ts';
import { rarestFirst } from '../../../snapshots/common/rarestFirst.ts';
import { MARKERS } from './nonRelocatableFolders.ts';

/**
 * Limits of the search for names, which takes about 20 ms: the user waits for it, and ignored
 * folders may be caches of any size. Settings files are rarely deeper than this, or in a folder
 * with more than a thousand entries.
 */
const MAX_IGNORED = 1000;
const MAX_FOLDERS = 500;
const MAX_ENTRIES = 5000;
const MAX_IN_FOLDER = 1000;
const MAX_DEPTH = 4;

/** Files that mark a separate project or environment, which the outer project does not need. */
const FOREIGN_MARKERS: readonly string[] = ['.git', ...MARKERS];

export interface FoundInside {
  /** Paths that match a path pattern and files that match a name, relative to the workspace. */
  readonly matches: readonly string[];
  /** Folders that match a name. */
  readonly folders: readonly string[];
  /** Whether the search for names reached a limit before its end. */
  readonly isCut: boolean;
}

/**
 * Searches ignored folders for matches of the patterns: git lists an ignored folder without its
 * files. Follows no links.
 * @param ignored ignored paths without a match, relative to the workspace
 */
export function searchIgnoredFolders(
  workspace: string,
  ignored: readonly string[],
  patterns: readonly CarryPattern[],
): FoundInside {
  const paths = patterns.filter(({ isPath }) => isPath);
  const names = patterns.filter(({ isPath }) => !isPath);
  const byPath = paths.flatMap((pattern) =>
    ignored.flatMap((each) => followPath(workspace, each, pattern.below(each.split('/')))),
  );
  const byName = new NameSearch(workspace, names);
  byName.search(ignored);
  const { files, folders, isCut } = byName;
  return { matches: [...byPath, ...files], folders, isCut };
}

/** Finds the matches of a path pattern. Has no limits, because the user named the path. */
function followPath(
  workspace: string,
  folder: string,
  [name, ...more]: readonly RegExp[],
): string[] {
  if (!name) return [];
  const found = entriesOf(workspace, folder, Infinity)
    .filter((entry) => name.test(entry.name))
    .map((entry) => `${folder}/${entry.name}`);
  return more.length === 0 ? found : found.flatMap((each) => followPath(workspace, each, more));
}

interface Place {
  readonly folder: string;
  /** Number of folders in the same parent folder. */
  readonly siblings: number;
}

class NameSearch {
  readonly files: string[] = [];
  readonly folders: string[] = [];
  isCut = false;
  readonly #workspace: string;
  readonly #patterns: readonly CarryPattern[];
  #entries = MAX_ENTRIES;
  #folders = MAX_FOLDERS;

  constructor(workspace: string, patterns: readonly CarryPattern[]) {
    this.#workspace = workspace;
    this.#patterns = patterns;
  }

  search(ignored: readonly string[]): void {
    if (this.#patterns.length === 0) return;
    this.isCut = ignored.length > MAX_IGNORED;
    let level = rarestFirst(ignored)
      .slice(0, MAX_IGNORED)
      .filter((each) => isFolder(path.join(this.#workspace, each)))
      .map((folder): Place => ({ folder, siblings: 0 }));
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      // Search folders with few siblings first: a cache must not use up the limits.
      level = level
        .flatMap((place) => this.#searchFolder(place))
        .sort((a, b) => a.siblings - b.siblings);
    }
    this.isCut ||= level.length > 0;
  }

  /** @returns the subfolders that have to be searched next */
  #searchFolder({ folder }: Place): Place[] {
    this.#folders -= 1;
    if (this.#folders < 0 || this.#entries <= 0) {
      this.isCut = true;
      return [];
    }
    const most = Math.min(this.#entries, MAX_IN_FOLDER);
    const entries = entriesOf(this.#workspace, folder, most);
    this.#entries -= entries.length;
    this.isCut ||= entries.length === most;
    if (entries.some(({ name }) => FOREIGN_MARKERS.includes(name))) return [];
    const within: string[] = [];
    for (const entry of entries) {
      const isWanted = isMatched(entry.name, this.#patterns);
      const folders = isWanted ? this.folders : within;
      if (entry.isDirectory()) folders.push(`${folder}/${entry.name}`);
      else if (isWanted) this.files.push(`${folder}/${entry.name}`);
    }
    return within.map((each) => ({ folder: each, siblings: within.length }));
  }
}

/** Lists at most `most` entries of a folder; none for a file or a link. */
function entriesOf(workspace: string, folder: string, most: number): Dirent[] {
  const full = path.join(workspace, folder);
  const entries: Dirent[] = [];
  try {
    if (!isFolder(full)) return [];
    const listing = opendirSync(full);
    try {
      while (entries.length < most) {
        const entry = listing.readSync();
        if (!entry) break;
        entries.push(entry);
      }
    } finally {
      listing.closeSync();
    }
  } catch {
    // The folder can't be read to its end: return the entries listed so far.
  }
  return entries;
}

/** False for a link to a folder. */
function isFolder(file: string): boolean {
  try {
    return lstatSync(file).isDirectory();
  } catch {
    return false; // The path no longer exists.
  }
}
