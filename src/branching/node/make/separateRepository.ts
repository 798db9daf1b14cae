import { errorCode } from '../../../base/errors.ts';
import { existsSync, readdirSync, rmSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { realPathOf, type CopiedFolder } from './copiedFolder.ts';
import { readBackPointer, readGitMark, writeBackPointer, writeGitMark } from './gitPointer.ts';
import { setWorkingTree, workingTreesOf } from './gitSettings.ts';

/** Folders of a workspace in which projects usually keep working trees or repositories. */
const USUAL_PLACES = ['', 'worktrees', '.worktrees', '.claude/worktrees'];

export const NO_REPOSITORY =
  'The branch has the files but is not a git working tree: the repository of this folder is elsewhere and is not in the snapshot.';

/**
 * Makes git's pointers in a copied folder point to the copy of the repository. Otherwise the branch
 * and the original would share HEAD and index, and git commands in the branch would change the
 * original. Pointers to a repository that was not copied are removed, with a warning. Only some
 * folders are searched: see `docs/decisions/0013-…`.
 * @param nested result of {@link nestedRepositories}, if it is known
 * @returns warnings, as sentences
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

/** Repositories and working trees in the usual places of a workspace, as relative paths. */
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
  /**
   * Visited working trees and git folders: they refer to each other, so each is visited only once.
   */
  readonly #trees = new Set<string>();
  readonly #gitDirs = new Set<string>();

  constructor(copy: CopiedFolder) {
    this.#copy = copy;
  }

  /** @param folder a folder of the copy, which may be a working tree */
  async separate(folder: string): Promise<void> {
    const file = path.join(folder, '.git');
    if (!isNewIn(this.#trees, file)) return;
    const mark = readGitMark(file);
    if (mark?.kind === 'repository') await this.#separateAllOf(file);
    if (!mark || mark.kind === 'repository') return;
    const back = readBackPointer(mark.target);
    // The repository already points back to this working tree, as for a branch that is a git
    // worktree.
    if (back !== undefined && realPathOf(back) === file) return;
    const target = this.#copy.counterpartOf(mark.target);
    if (target === undefined || !existsSync(path.join(target, 'HEAD'))) {
      rmSync(file);
      this.sentences.push(detachedText(path.relative(this.#copy.workspace, folder)));
      return;
    }
    if (target !== realPathOf(mark.target)) writeGitMark(file, { ...mark, target });
    await this.#separateAllOf(target);
  }

  /** Separates a git folder of the copy, with its working trees and submodules. */
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

  /** @param back the `.git` file of the working tree */
  async #separateWorktree(gitDir: string, back: string): Promise<void> {
    const counterpart = this.#copy.counterpartOf(back);
    // A working tree outside of the copy belongs to the original.
    if (counterpart === undefined) return;
    if (counterpart !== realPathOf(back)) writeBackPointer(gitDir, counterpart);
    await this.separate(path.dirname(counterpart));
  }

  /** Submodule names may have several parts, so their git folders may be nested. */
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

/** The workspace and the folders above it, up to the copied folder. */
function foldersAround({ place, workspace }: CopiedFolder): string[] {
  const folders = [workspace];
  for (let above = workspace; above !== place && above !== path.dirname(above);) {
    folders.push((above = path.dirname(above)));
  }
  return folders;
}

/** Does not follow links: they lead to the original's folders or elsewhere. */
function foldersIn(folder: string): Dirent[] {
  if (realPathOf(folder) !== folder) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function detachedText(folder: string): string {
  if (folder === '') return NO_REPOSITORY;
  return `${folder} has its files in the branch but is not a git working tree there: its repository is elsewhere and is not in the snapshot.`;
}
