import { existsSync, readdirSync, rmSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { realPathOf, type CopiedFolder } from './copiedFolder.ts';
import { readBackPointer, readGitMark, writeBackPointer, writeGitMark } from './gitPointer.ts';
import { setWorkingTree, workingTreesOf } from './gitSettings.ts';

/** Folders of a project that working trees, or repositories, are usually put into. */
const USUAL_PLACES = ['', 'worktrees', '.worktrees', '.claude/worktrees'];

export const NO_REPOSITORY =
  'The branch has the files, but is no git working tree: the repository of this folder is elsewhere, and was not kept with it.';

/**
 * What leads from a copy of a folder to the original's repository is made to lead to the copy of that: otherwise both would
 * share HEAD and index, and what git does in the branch would happen there. What leads out of both is let go, and that is said.
 * To look at the whole tree would take longer than to copy it: `docs/decisions/0013-…` says what is looked at.
 * @param nested as of {@link nestedRepositories}, where that was found out before
 * @returns sentences
 */
export async function separateRepository(
  copy: CopiedFolder,
  nested: readonly string[] = nestedRepositories(copy.workspace),
): Promise<string[]> {
  const separation = new Separation(copy);
  for (const folder of foldersAround(copy)) await separation.separate(folder);
  for (const folder of nested) await separation.separate(path.join(copy.workspace, folder));
  return separation.sentences;
}

/** Folders of a workspace, relative to it, that may be repositories or working trees, as far as they are where those usually are. */
export function nestedRepositories(workspace: string): string[] {
  const real = realPathOf(workspace);
  return USUAL_PLACES.flatMap((place) =>
    foldersIn(path.join(real, place))
      .map(({ name }) => path.join(place, name))
      .filter((folder) => path.basename(folder) !== '.git')
      .filter((folder) => readGitMark(path.join(real, folder, '.git')) !== undefined),
  );
}

class Separation {
  readonly sentences: string[] = [];
  readonly #copy: CopiedFolder;
  /** Working trees that were looked at, and git folders: the `.git` of one is mostly the other. */
  readonly #trees = new Set<string>();
  readonly #gitDirs = new Set<string>();

  constructor(copy: CopiedFolder) {
    this.#copy = copy;
  }

  /** @param folder of the copy, which may be a working tree */
  async separate(folder: string): Promise<void> {
    const file = path.join(folder, '.git');
    if (!isNewIn(this.#trees, file)) return;
    const mark = readGitMark(file);
    if (mark?.kind === 'repository') await this.#separateAllOf(file);
    if (!mark || mark.kind === 'repository') return;
    const back = readBackPointer(mark.target);
    // Made for this very working tree, as that of a branch is.
    if (back !== undefined && realPathOf(back) === file) return;
    const target = this.#copy.counterpartOf(mark.target);
    if (target === undefined || !existsSync(path.join(target, 'HEAD'))) {
      rmSync(file);
      this.sentences.push(letGo(path.relative(this.#copy.workspace, folder)));
      return;
    }
    if (target !== realPathOf(mark.target)) writeGitMark(file, { ...mark, target });
    await this.#separateAllOf(target);
  }

  /** A git folder of the copy, with those of its working trees and submodules. */
  async #separateAllOf(gitDir: string): Promise<void> {
    if (!isNewIn(this.#gitDirs, gitDir)) return;
    const back = readBackPointer(gitDir);
    if (back !== undefined) await this.#separateWorktree(gitDir, back);
    for (const { file, folder } of await workingTreesOf(gitDir)) {
      const counterpart = this.#copy.counterpartOf(folder);
      if (counterpart === undefined) continue;
      if (counterpart !== realPathOf(folder)) await setWorkingTree(file, counterpart);
      await this.separate(counterpart);
    }
    const worktrees = path.join(gitDir, 'worktrees');
    for (const { name } of foldersIn(worktrees)) {
      await this.#separateAllOf(path.join(worktrees, name));
    }
    await this.#separateModules(path.join(gitDir, 'modules'));
  }

  /** @param back the `.git` that belongs to it */
  async #separateWorktree(gitDir: string, back: string): Promise<void> {
    const counterpart = this.#copy.counterpartOf(back);
    // One that is elsewhere belongs to the original, and says so itself.
    if (counterpart === undefined) return;
    if (counterpart !== realPathOf(back)) writeBackPointer(gitDir, counterpart);
    await this.separate(path.dirname(counterpart));
  }

  /** The name of a submodule, and so its folder, may have several parts. */
  async #separateModules(folder: string): Promise<void> {
    for (const { name } of foldersIn(folder)) {
      const inside = path.join(folder, name);
      if (existsSync(path.join(inside, 'HEAD'))) await this.#separateAllOf(inside);
      else await this.#separateModules(inside);
    }
  }
}

function isNewIn(seen: Set<string>, path: string): boolean {
  const isNew = !seen.has(path);
  seen.add(path);
  return isNew;
}

/** The workspace, and what it is in. */
function foldersAround({ place, workspace }: CopiedFolder): string[] {
  const folders = [workspace];
  for (let above = workspace; above !== place && above !== path.dirname(above);) {
    folders.push((above = path.dirname(above)));
  }
  return folders;
}

/** Links are not followed: they lead to the original's, or anywhere. */
function foldersIn(folder: string): Dirent[] {
  if (realPathOf(folder) !== folder) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return [];
    throw error;
  }
}

function letGo(folder: string): string {
  if (folder === '') return NO_REPOSITORY;
  return `${folder} has its files in the branch, but is no git working tree there: its repository is elsewhere, and was not kept with it.`;
}
