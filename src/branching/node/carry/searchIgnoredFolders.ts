import { type Dirent, lstatSync, opendirSync } from 'node:fs';
import path from 'node:path';
import { isMeant, type CarryPattern } from '../../common/carriedFiles.ts';
import { rarestFirst } from '../../../snapshots/common/rarestFirst.ts';
import { MARKERS } from './nonRelocatableFolders.ts';

/**
 * How much is looked at for a name: what is ignored may be a cache of any size, and somebody waits. Together some 20 ms. Nobody has
 * settings among more than a thousand files, nor deeper.
 */
const MAX_IGNORED = 1000;
const MAX_FOLDERS = 500;
const MAX_ENTRIES = 5000;
const MAX_IN_FOLDER = 1000;
const MAX_DEPTH = 4;

/** A folder with one of these is a project, or an environment, of its own: what it has is not for the one around it. */
const STRANGE: readonly string[] = ['.git', ...MARKERS];

export interface FoundInside {
  /** What a path means, and files that a name means. Relative to the workspace. */
  readonly meant: readonly string[];
  /** Folders that a name means. */
  readonly folders: readonly string[];
  /** There is more than was looked at for names. */
  readonly isCut: boolean;
}

/**
 * Looks into ignored folders for what patterns mean: such a folder stands for all that is in it. Through no links.
 * @param ignored what no pattern fits, relative to the workspace
 */
export function searchIgnoredFolders(
  workspace: string,
  ignored: readonly string[],
  patterns: readonly CarryPattern[],
): FoundInside {
  const paths = patterns.filter(({ isPath }) => isPath);
  const names = patterns.filter(({ isPath }) => !isPath);
  const byPath = paths.flatMap((pattern) =>
    ignored.flatMap((each) => along(workspace, each, pattern.below(each.split('/')))),
  );
  const byName = new NameSearch(workspace, names);
  byName.search(ignored);
  const { files, folders, isCut } = byName;
  return { meant: [...byPath, ...files], folders, isCut };
}

/** Somebody has named it: however many there are. */
function along(workspace: string, folder: string, [name, ...more]: readonly RegExp[]): string[] {
  if (!name) return [];
  const found = entriesOf(workspace, folder, Infinity)
    .filter((entry) => name.test(entry.name))
    .map((entry) => `${folder}/${entry.name}`);
  return more.length === 0 ? found : found.flatMap((each) => along(workspace, each, more));
}

interface Place {
  readonly folder: string;
  /** How many folders are beside it. */
  readonly beside: number;
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
      .map((folder): Place => ({ folder, beside: 0 }));
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      // One that has hundreds of folders, as a cache, does not keep us from those that have few.
      level = level.flatMap((place) => this.#look(place)).sort((a, b) => a.beside - b.beside);
    }
    this.isCut ||= level.length > 0;
  }

  /** @returns the folders in it */
  #look({ folder }: Place): Place[] {
    this.#folders -= 1;
    if (this.#folders < 0 || this.#entries <= 0) {
      this.isCut = true;
      return [];
    }
    const most = Math.min(this.#entries, MAX_IN_FOLDER);
    const entries = entriesOf(this.#workspace, folder, most);
    this.#entries -= entries.length;
    this.isCut ||= entries.length === most;
    if (entries.some(({ name }) => STRANGE.includes(name))) return [];
    const within: string[] = [];
    for (const entry of entries) {
      const isWanted = isMeant(entry.name, this.#patterns);
      const folders = isWanted ? this.folders : within;
      if (entry.isDirectory()) folders.push(`${folder}/${entry.name}`);
      else if (isWanted) this.files.push(`${folder}/${entry.name}`);
    }
    return within.map((each) => ({ folder: each, beside: within.length }));
  }
}

/** None of what is no folder, or cannot be listed. */
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
    // What was listed until then is there.
  }
  return entries;
}

/** A link to one is none. */
function isFolder(file: string): boolean {
  try {
    return lstatSync(file).isDirectory();
  } catch {
    return false;
  }
}
