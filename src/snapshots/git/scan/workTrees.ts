import { joinPath, parentOf, relativeTo } from '../../common/posixPath.ts';
import { GitFailure } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { UserRepository } from '../worktree/repository.ts';
import { RepositoryWatch } from '../worktree/repositoryState.ts';
import type { WorkTree } from './workTree.ts';
import { UserError } from '../../../base/errors.ts';

interface Known {
  readonly marks: string;
  readonly unit: WorkTree;
}

/** The working trees of a workspace, found anew when a `.git` comes, goes or is replaced. */
export class WorkTrees {
  readonly #ports: GitPorts;
  readonly #store: ObjectStore;
  readonly #workspace: string;
  readonly #known = new Map<string, Known>();

  constructor(ports: GitPorts, store: ObjectStore, workspace: string) {
    this.#ports = ports;
    this.#store = store;
    this.#workspace = workspace;
  }

  /** The workspace itself, with the repository that it is in. @throws UserError */
  async top(): Promise<WorkTree> {
    return this.#find('', await this.#marksAbove(this.#workspace), () =>
      repositoryOf(this.#ports, this.#workspace),
    );
  }

  /** @param path of a folder with a `.git`, relative to the workspace */
  async nested(path: string): Promise<WorkTree> {
    const folder = joinPath(this.#workspace, path);
    return this.#find(path, await this.#markOf(folder), async () => {
      try {
        const repository = await UserRepository.of(this.#ports, folder);
        // Its `.git` may be no repository at all; then the one above answers.
        return repository?.root === folder ? repository : undefined;
      } catch (error) {
        // Its files are kept, whatever is the matter with its `.git`.
        if (error instanceof GitFailure || error instanceof UserError) return undefined;
        throw error;
      }
    });
  }

  /** Forgets nested ones that are gone. */
  retain(paths: readonly string[]): void {
    for (const path of this.#known.keys()) {
      if (path !== '' && !paths.includes(path)) this.#known.delete(path);
    }
  }

  /** The next scan brings our indexes up to date, however little there is to do. */
  forgetTrees(): void {
    for (const { unit } of this.#known.values()) {
      delete unit.memory.standing;
      delete unit.memory.beside;
    }
  }

  /** Objects that were written and that no reference needs are gone. */
  forgetObjects(): void {
    for (const { unit } of this.#known.values()) {
      unit.watch?.forget();
      delete unit.memory.beside;
    }
  }

  async #find(
    path: string,
    marks: string,
    resolve: () => Promise<UserRepository | undefined>,
  ): Promise<WorkTree> {
    const known = this.#known.get(path);
    if (known?.marks === marks) return known.unit;
    const folder = joinPath(this.#workspace, path);
    const repository = await resolve();
    const unit: WorkTree = {
      path,
      root: repository?.root ?? folder,
      prefix: repository ? (relativeTo(repository.root, folder) ?? '') : '',
      watch: repository && new RepositoryWatch(this.#ports, this.#store, repository, path),
      memory: { separated: new Set() },
    };
    this.#known.set(path, { marks, unit });
    return unit;
  }

  async #marksAbove(folder: string): Promise<string> {
    const folders = [folder];
    for (let at = folder; at !== '/'; folders.push(at)) at = parentOf(at);
    return (await Promise.all(folders.map((at) => this.#markOf(at)))).join('|');
  }

  async #markOf(folder: string): Promise<string> {
    try {
      const { kind, inode, ctimeNs } = await this.#ports.files.stat(joinPath(folder, '.git'));
      // A file says where the repository is, and may say something else without being replaced. A folder's time means nothing.
      return kind === 'folder' ? `${kind} ${inode}` : `${kind} ${inode} ${ctimeNs}`;
    } catch {
      return '';
    }
  }
}

/** The repository that keeps a folder's files; none when it ignores the folder. @throws UserError */
export async function repositoryOf(
  ports: GitPorts,
  folder: string,
): Promise<UserRepository | undefined> {
  const repository = await UserRepository.of(ports, folder);
  return repository && !(await repository.ignores(folder)) ? repository : undefined;
}
