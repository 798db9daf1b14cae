import { joinPath, parentOf, relativeTo } from '../../common/posixPath.ts';
import { GitFailure } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { UserRepository } from '../worktree/repository.ts';
import { RepositoryWatch } from '../worktree/repositoryState.ts';
import type { WorkTree } from './workTree.ts';
import { UserError } from '../../../base/errors.ts';

/** They change when a `.git` is added, removed or replaced, or when its configuration changes. */
interface Marks {
  readonly places: string;
  readonly settings: string;
}

interface KnownWorkTree {
  readonly marks: Marks;
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
    marks: Marks,
    resolve: () => Promise<UserRepository | undefined>,
  ): Promise<WorkTree> {
    const known = this.#known.get(path);
    const isSamePlace = known?.marks.places === marks.places;
    if (isSamePlace && known.marks.settings === marks.settings) return known.workTree;
    const folder = joinPath(this.#workspace, path);
    const repository = await resolve();
    if (isSamePlace && isSame(known.workTree.watch?.repository, repository)) {
      this.#known.set(path, { marks, workTree: known.workTree });
      return known.workTree;
    }
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

  async #marksAbove(folder: string): Promise<Marks> {
    const folders = [folder];
    for (let at = folder; at !== '/'; folders.push(at)) at = parentOf(at);
    const marks = await Promise.all(folders.map((at) => this.#markOf(at)));
    const join = (part: keyof Marks) => marks.map((each) => each[part]).join('|');
    return { places: join('places'), settings: join('settings') };
  }

  async #markOf(folder: string): Promise<Marks> {
    const git = joinPath(folder, '.git');
    const [found, config] = await this.#ports.files.statAll([git, joinPath(git, 'config')]);
    if (typeof found !== 'object') return { places: '', settings: '' }; // No `.git`.
    const { kind, inode, ctimeNs } = found;
    // A `.git` file names the repository and can change in place. The time of a `.git` folder
    // does not matter: it changes with the files in the folder.
    const places = kind === 'folder' ? `${kind} ${inode}` : `${kind} ${inode} ${ctimeNs}`;
    // Settings can make a repository unusable, and usable again.
    return { places, settings: typeof config === 'object' ? String(config.ctimeNs) : '' };
  }
}

function isSame(one: UserRepository | undefined, other: UserRepository | undefined): boolean {
  const keys = ['root', 'gitDir', 'commonDir', 'format'] as const;
  return keys.every((key) => one?.[key] === other?.[key]);
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
