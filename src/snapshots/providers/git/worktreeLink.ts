import { errorCode } from '../volume/errorCode.ts';
import { joinPath, parentOf } from '../volume/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';
import { readChunks } from './indexState.ts';
import type { ObjectStore } from './objectStore.ts';
import type { UserRepository } from './repository.ts';
import type { RepositoryState } from './repositoryState.ts';

const encoder = new TextEncoder();
const READABLE = 0o644;

/** Whether the repository still has the commit that HEAD was at. */
export async function canLink(
  repository: UserRepository,
  state: RepositoryState,
): Promise<boolean> {
  const { commit } = state.head;
  if (commit === undefined) return true;
  return (await repository.run(['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0;
}

/** A name for the working tree that the repository does not have yet. */
export async function freeLink(
  { files }: GitPorts,
  { commonDir }: UserRepository,
  name: string,
  isTaken: (link: string) => boolean,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const link = joinPath(commonDir, `worktrees/ah-${name}${number === 1 ? '' : `-${number}`}`);
    if (isTaken(link)) continue;
    try {
      await files.stat(link);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return link;
      throw error;
    }
  }
}

export interface LinkPlace {
  readonly folder: string;
  readonly link: string;
  readonly name: string;
  /** As it was, but for the times of files. */
  readonly index: Uint8Array | undefined;
}

/**
 * Makes a folder a working tree of a repository, with HEAD's commit, the index and the operation in progress of a snapshot.
 * HEAD is detached, and so is a rebase: work in the clone moves no branch of the user's.
 * @param link the folder in the repository that describes the working tree, see {@link freeLink}
 */
export async function linkWorktree(
  ports: GitPorts,
  store: ObjectStore,
  repository: UserRepository,
  state: RepositoryState,
  place: LinkPlace,
): Promise<void> {
  const { files } = ports;
  const put = async (path: string, content: string | Uint8Array): Promise<void> => {
    const file = joinPath(place.link, path);
    await files.makeFolder(parentOf(file));
    await files.write(
      file,
      typeof content === 'string' ? encoder.encode(content) : content,
      READABLE,
    );
  };
  const { commit } = state.head;
  await put('commondir', '../..\n');
  await put('gitdir', `${place.folder}/.git\n`);
  await put('HEAD', commit === undefined ? `ref: refs/heads/ah/${place.name}\n` : `${commit}\n`);
  if (state.index && place.index) {
    await returnStaged(store, repository, state.index.staged);
    await put('index', place.index);
    const { shared } = state.index;
    if (shared) await put(shared.name, await readChunks(store, shared.chunks));
  }
  for (const { path, oid } of state.gitFiles) {
    if (path === 'rebase-merge/update-refs') continue;
    const isBranchOfRebase = path === 'rebase-merge/head-name' || path === 'rebase-apply/head-name';
    await put(path, isBranchOfRebase ? 'detached HEAD\n' : await store.read(oid, 'blob'));
  }
  await files.write(
    joinPath(place.folder, '.git'),
    encoder.encode(`gitdir: ${place.link}\n`),
    READABLE,
  );
}

/** Takes it back. A repository without other working trees is as it was before. */
export async function unlinkWorktree({ files }: GitPorts, link: string): Promise<void> {
  await files.removeTree(link);
  await files.remove(parentOf(link)).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  });
}

/** The repository may have dropped what was staged then. */
async function returnStaged(
  store: ObjectStore,
  repository: UserRepository,
  staged: string | undefined,
): Promise<void> {
  if (staged === undefined || repository.format !== store.format) return;
  for (const oid of (await store.readTree(staged)).keys()) {
    if ((await repository.run(['cat-file', '-e', oid])).exitCode === 0) continue;
    const input = await store.read(oid, 'blob');
    await repository.git(['hash-object', '-w', '--stdin', '--no-filters'], { input });
  }
}
