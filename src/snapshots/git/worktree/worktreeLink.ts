import { joinPath, parentOf } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import { inParallel } from '../../common/inParallel.ts';
import { readChunks } from '../index/indexState.ts';
import { ownBranch } from '../clone/ownBranch.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import type { UserRepository } from './repository.ts';
import type { RepositoryState } from './repositoryState.ts';
import { nameOwnFolder } from './workingTreeSetting.ts';

const encoder = new TextEncoder();
const READABLE = 0o644;
/** The number of files that Node works on at once. */
const WRITE_CONCURRENCY = 4;

/** Whether the repository still has the commit that HEAD was at. */
export async function canLink(
  repository: UserRepository,
  state: RepositoryState,
): Promise<boolean> {
  const { commit } = state.head;
  if (commit === undefined) return true;
  return (await repository.run(['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0;
}

export interface LinkPlace {
  readonly folder: string;
  /**
   * The folder in the repository that describes the worktree and already names its owner; see
   * `cloneLinks.ts`.
   */
  readonly link: string;
  /** The snapshot's index with updated file times. */
  readonly index: Uint8Array | undefined;
}

/**
 * Makes a folder a git worktree of a repository, with the commit of HEAD, the index and the
 * operation in progress from a snapshot. HEAD, rebases and bisections are detached, so that work in
 * the clone moves no branch of the user.
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
    ['HEAD', commit === undefined ? `ref: ${ownBranch(place.link)}\n` : `${commit}\n`],
  ]);
  if (state.index && place.index) {
    await returnStaged(store, repository, state.index.staged);
    contents.set('index', place.index);
    const { shared } = state.index;
    if (shared) contents.set(shared.name, await readChunks(store, shared.chunks));
  }
  for (const { path, oid } of state.gitFiles) {
    if (path === 'rebase-merge/update-refs') continue;
    const bytes = await store.read(oid, 'blob');
    contents.set(path, (await withoutBranch(repository, state, path, bytes)) ?? bytes);
  }
  await inParallel([...contents], WRITE_CONCURRENCY, async ([path, content]) => {
    const file = joinPath(place.link, path);
    await files.makeFolder(parentOf(file));
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    await files.write(file, bytes, READABLE);
  });
  await nameOwnFolder(ports, repository, place);
  // Written last: this file makes the folder a git worktree.
  await files.write(
    joinPath(place.folder, '.git'),
    encoder.encode(`gitdir: ${place.link}\n`),
    READABLE,
  );
}

/**
 * Detaches an operation that would return to a user's branch when it ends, and move that branch.
 */
async function withoutBranch(
  repository: UserRepository,
  { head }: RepositoryState,
  path: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  if (path === 'rebase-merge/head-name' || path === 'rebase-apply/head-name') {
    return 'detached HEAD\n';
  }
  if (path !== 'BISECT_START') return undefined;
  const start = new TextDecoder().decode(bytes).trim();
  const { stdout } = await repository.run(['rev-parse', '-q', '--verify', `${start}^{commit}`]);
  return `${new TextDecoder().decode(stdout).trim() || (head.commit ?? start)}\n`;
}

/** Restores staged content that the repository may have dropped since. */
async function returnStaged(
  store: ObjectStore,
  repository: UserRepository,
  staged: string | undefined,
): Promise<void> {
  if (staged === undefined || repository.format !== store.format) return;
  const oids = [...(await store.readTree(staged)).keys()];
  const input = encoder.encode(oids.map((oid) => `${oid}\n`).join(''));
  const { stdout } = await repository.git(['cat-file', '--batch-check=%(objecttype)'], { input });
  // git prints one line for each object: its type, or `<object> missing`.
  const answers = new TextDecoder().decode(stdout).split('\n');
  const missing = oids.filter((_oid, number) => answers[number]?.endsWith(' missing') !== false);
  for (const oid of missing) {
    const bytes = await store.read(oid, 'blob');
    const args = ['hash-object', '-w', '--stdin', '--no-filters'];
    await repository.git(args, { input: bytes });
  }
}
