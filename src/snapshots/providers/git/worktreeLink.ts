import { errorCode } from '../volume/errorCode.ts';
import { joinPath, parentOf } from '../volume/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';
import { inParallel } from '../../inParallel.ts';
import { readChunks } from './indexState.ts';
import type { ObjectStore } from './objectStore.ts';
import type { UserRepository } from './repository.ts';
import type { RepositoryState } from './repositoryState.ts';

const encoder = new TextEncoder();
const READABLE = 0o644;
/** As many as Node works on at the same time. */
const MOST_AT_ONCE = 4;

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
  const { commit } = state.head;
  const contents = new Map<string, string | Uint8Array>([
    ['commondir', '../..\n'],
    ['gitdir', `${place.folder}/.git\n`],
    ['HEAD', commit === undefined ? `ref: refs/heads/ah/${place.name}\n` : `${commit}\n`],
  ]);
  if (state.index && place.index) {
    await returnStaged(store, repository, state.index.staged);
    contents.set('index', place.index);
    const { shared } = state.index;
    if (shared) contents.set(shared.name, await readChunks(store, shared.chunks));
  }
  for (const { path, oid } of state.gitFiles) {
    if (path === 'rebase-merge/update-refs') continue;
    const isBranchOfRebase = path === 'rebase-merge/head-name' || path === 'rebase-apply/head-name';
    contents.set(path, isBranchOfRebase ? 'detached HEAD\n' : await store.read(oid, 'blob'));
  }
  await inParallel([...contents], MOST_AT_ONCE, async ([path, content]) => {
    const file = joinPath(place.link, path);
    await files.makeFolder(parentOf(file));
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    await files.write(file, bytes, READABLE);
  });
  // What makes the folder a working tree comes last.
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
  const oids = [...(await store.readTree(staged)).keys()];
  const input = encoder.encode(oids.map((oid) => `${oid}\n`).join(''));
  const { stdout } = await repository.git(['cat-file', '--batch-check=%(objecttype)'], { input });
  // One line each: a type, or `<object> missing`.
  const answers = new TextDecoder().decode(stdout).split('\n');
  const missing = oids.filter((_oid, number) => answers[number]?.endsWith(' missing') !== false);
  for (const oid of missing) {
    const bytes = await store.read(oid, 'blob');
    const args = ['hash-object', '-w', '--stdin', '--no-filters'];
    await repository.git(args, { input: bytes });
  }
}
