import { joinPath, parentOf, relativeTo } from '../../common/posixPath.ts';
import { GitFailure } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { UserRepository } from '../worktree/repository.ts';
import { RepositoryWatch } from '../worktree/repositoryState.ts';
import type { WorkTree } from './workTree.ts';
import { UserError } from '../../../base/errors.ts';

interface KnownWorkTree {
  readonly marks: string;
  readonly workTree: WorkTree;
}

/** Finds the work trees of a workspace, and again when a `.git` is added, removed or replaced. */
export class WorkTrees {
  readonly #ports: GitPorts;
  readonly #store: ObjectStore;
  readonly #workspace: string;
  readonly #known = new Map<string, KnownWorkTree>();

  constructor(ports: GitPorts, store: ObjectStore, workspace: string) {
    this.#ports = ports;
    this.#store = store;
    this.#workspace = workspace;
  }

  /** Returns the workspace itself, with its repository. @throws UserError */
  async top(): Promise<WorkTree> {
    return this.#find('', await this.#marksAbove(this.#workspace), () =>
      repositoryOf(this.#ports, this.#workspace),
    );
  }

  /** @param path a folder with a `.git`, relative to the workspace */
  async nested(path: string): Promise<WorkTree> {
    const folder = joinPath(this.#workspace, path);
    return this.#find(path, await this.#markOf(folder), async () => {
      try {
        const repository = await UserRepository.of(this.#ports, folder);
        // If the folder's `.git` is not a repository, git finds the repository above.
        return repository?.root === folder ? repository : undefined;
      } catch (error) {
        // Snapshots include the folder's files even if its `.git` is unusable.
        if (error instanceof GitFailure || error instanceof UserError) return undefined;
        throw error;
      }
    });
  }

  /** Forgets nested repositories that are gone. */
  retain(paths: readonly string[]): void {
    for (const path of this.#known.keys()) {
      if (path !== '' && !paths.includes(path)) this.#known.delete(path);
    }
  }

  /** Makes the next scan update our indexes, even if only a few files have changed. */
  forgetTrees(): void {
    for (const { workTree } of this.#known.values()) {
      delete workTree.memory.indexTree;
      delete workTree.memory.unindexed;
    }
  }

  /** Forgets cached objects, which may have been removed. */
  forgetObjects(): void {
    for (const { workTree } of this.#known.values()) {
      workTree.watch?.forget();
      delete workTree.memory.unindexed;
    }
  }

  async #find(
    path: string,
    marks: string,
    resolve: () => Promise<UserRepository | undefined>,
  ): Promise<WorkTree> {
    const known = this.#known.get(path);
    if (known?.marks === marks) return known.workTree;
    const folder = joinPath(this.#workspace, path);
    const repository = await resolve();
    const workTree: WorkTree = {
      path,
      root: repository?.root ?? folder,
      prefix: repository ? (relativeTo(repository.root, folder) ?? '') : '',
      watch: repository && new RepositoryWatch(this.#ports, this.#store, repository, path),
      memory: { separated: new Set() },
    };
    this.#known.set(path, { marks, workTree });
    return workTree;
  }

  async #marksAbove(folder: string): Promise<string> {
    const folders = [folder];
    for (let at = folder; at !== '/'; folders.push(at)) at = parentOf(at);
    return (await Promise.all(folders.map((at) => this.#markOf(at)))).join('|');
  }

  async #markOf(folder: string): Promise<string> {
    try {
      const { kind, inode, ctimeNs } = await this.#ports.files.stat(joinPath(folder, '.git'));
      // A `.git` file names the repository and can change in place. The time of a `.git` folder
      // does not matter: it changes with the files in the folder.
      if (kind !== 'folder') return `${kind} ${inode} ${ctimeNs}`;
      // A change of its configuration can make it unusable, or usable again.
      const config = await this.#ports.files.stat(joinPath(folder, '.git/config'));
      return `${kind} ${inode} ${config.ctimeNs}`;
    } catch {
      return ''; // No `.git`, or none that git accepts.
    }
  }
}

/**
 * Returns the repository that tracks a folder's files; undefined if it ignores the folder, or if
 * git can't read it: then the files are stored like those of a folder without a repository.
 * @throws UserError
 */
export async function repositoryOf(
  ports: GitPorts,
  folder: string,
): Promise<UserRepository | undefined> {
  const repository = await UserRepository.of(ports, folder).catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error;
    return undefined;
  });
  return repository && !(await repository.ignores(folder)) ? repository : undefined;
}
