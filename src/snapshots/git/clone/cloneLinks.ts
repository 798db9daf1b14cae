import { errorCode } from '../../../base/errors.ts';
import { exists } from '../exists.ts';
import { joinPath, parentOf, relativeTo } from '../../common/posixPath.ts';
import type { CloneNotes } from './cloneNotes.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from '../worktree/repository.ts';
import { isBranchFree, ownBranch, OWN_BRANCH_FILE, removeOwnBranch } from './ownBranch.ts';

const encoder = new TextEncoder();
const READABLE = 0o644;

/** A git worktree to create. */
export interface WantedLink {
  readonly repository: UserRepository;
  readonly folder: string;
  /** HEAD is at a branch without a commit. */
  readonly isUnborn: boolean;
}

/**
 * The folders `worktrees/ah-NAME` in the user's repositories that describe the git worktrees of a
 * clone. Clones of other worktrees of the same repository use another lock, so several processes
 * may look for a free name at once: the first one that creates the folder, with a file that names
 * its owner, gets the name.
 */
export class CloneLinks {
  readonly #ports: GitPorts;
  readonly #notes: CloneNotes;
  readonly #destination: string;
  readonly #name: string;
  /** The folder in the repository, by the folder of the git worktree. */
  readonly #links = new Map<string, string>();

  constructor(ports: GitPorts, notes: CloneNotes, destination: string, name: string) {
    this.#ports = ports;
    this.#notes = notes;
    this.#destination = destination;
    this.#name = name;
  }

  /** Chooses free names for the wanted worktrees and writes them to the clone's note. */
  async plan(wanted: readonly WantedLink[]): Promise<void> {
    for (const each of wanted) this.#links.set(each.folder, await this.#freeLink(each));
    await this.#note();
  }

  /** Drops worktrees that can't be created from the clone's note. */
  async retain(possible: readonly WantedLink[]): Promise<void> {
    const folders = new Set(possible.map(({ folder }) => folder));
    if (folders.size === this.#links.size) return;
    for (const folder of this.#links.keys()) if (!folders.has(folder)) this.#links.delete(folder);
    await this.#note();
  }

  /** @returns the claimed folder in the repository */
  async claim(wanted: WantedLink): Promise<string> {
    for (;;) {
      // `!`: plan() has set it.
      const link = this.#links.get(wanted.folder)!;
      if (await this.#take(link, wanted)) return link;
      this.#links.set(wanted.folder, await this.#freeLink(wanted));
      await this.#note();
    }
  }

  async #freeLink(wanted: WantedLink): Promise<string> {
    const { repository, isUnborn } = wanted;
    const taken = new Set(this.#links.values());
    for (let number = 1; ; number += 1) {
      const name = `ah-${this.#name}${number === 1 ? '' : `-${number}`}`;
      const link = joinPath(repository.commonDir, `worktrees/${name}`);
      if (taken.has(link) || (await exists(this.#ports, link))) continue;
      if (!isUnborn || (await isBranchFree(repository, ownBranch(link)))) return link;
    }
  }

  /**
   * Creates the folder with its owner's name in one step: a kill leaves no folder without owner.
   */
  async #take(link: string, { folder, isUnborn }: WantedLink): Promise<boolean> {
    const { files } = this.#ports;
    const draft = draftOf(this.#ports, link, this.#destination);
    await files.removeTree(draft);
    await files.makeFolder(draft);
    const put = (name: string, text: string) =>
      files.write(joinPath(draft, name), encoder.encode(`${text}\n`), READABLE);
    await put('gitdir', `${folder}/.git`);
    if (isUnborn) await put(OWN_BRANCH_FILE, ownBranch(link));
    try {
      // `rename` fails if the target is a non-empty folder.
      await files.rename(draft, link);
      return true;
    } catch (error) {
      await files.removeTree(draft);
      if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
      throw error;
    }
  }

  #note(): Promise<void> {
    const links = [...this.#links.values()];
    return this.#notes.write({ destination: this.#destination, links });
  }
}

/** Selects the links that belong to a clone. For others, another process claimed the name first. */
export async function ownLinks(
  ports: GitPorts,
  destination: string,
  links: readonly string[],
): Promise<string[]> {
  // The destination may not exist yet.
  const real = await ports.files.realPath(destination).catch(() => destination);
  const own: string[] = [];
  for (const link of links) {
    // A link that was never created, or is incomplete, does not belong to the clone.
    const bytes = await ports.files.read(joinPath(link, 'gitdir')).catch(() => undefined);
    const file = bytes && new TextDecoder().decode(bytes).trimEnd();
    if (file && [destination, real].some((folder) => relativeTo(folder, file) !== undefined)) {
      own.push(link);
    }
  }
  return own;
}

/** Removes a clone's link, and the branch created for it, from a repository. */
export async function removeLink(ports: GitPorts, link: string): Promise<void> {
  await removeOwnBranch(ports, link);
  await ports.files.removeTree(link);
}

/**
 * Removes the draft that a killed process left beside a link, and the `worktrees` folder if that is
 * empty.
 */
export async function removeDraft(
  ports: GitPorts,
  link: string,
  destination: string,
): Promise<void> {
  await ports.files.removeTree(draftOf(ports, link, destination));
  await ports.files.remove(parentOf(link)).catch((error: unknown) => {
    // Untested: the clone keeps its note, so that its removal can be repeated.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  });
}

function draftOf({ coding }: GitPorts, link: string, destination: string): string {
  const key = coding.hash('sha1', [encoder.encode(destination)]).slice(0, 20);
  return joinPath(parentOf(link), `.ah-${key}`);
}
