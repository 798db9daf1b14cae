import { UserError } from '../../../base/errors.ts';
import type { CloneRequest } from '../../provider.ts';
import { errorCode } from '../volume/errorCode.ts';
import { joinPath } from '../volume/posixPath.ts';
import type { GitPorts } from './gitPorts.ts';
import type { ObjectStore } from './objectStore.ts';
import type { UserRepository } from './repository.ts';
import type { RepositoryState } from './repositoryState.ts';
import type { SnapshotRecord } from './snapshotRecord.ts';
import { pathsOf } from './zeroSeparated.ts';
import { canLink, freeLink, linkWorktree, unlinkWorktree } from './worktreeLink.ts';

const encoder = new TextEncoder();
const USUAL_FOLDER_MODE = 0o755;
/** More than the rest of a disk that a small file did not fit on. */
const PROBE_BYTES = 256 * 1024;

export interface CloneContext {
  readonly ports: GitPorts;
  readonly store: ObjectStore;
  readonly storage: string;
  /** The user's repository at a path of the workspace, if there is one now. */
  readonly repositoryAt: (path: string) => Promise<UserRepository | undefined>;
}

/** What was made for a clone: written down first, so that it can be taken back whatever happens. */
interface CloneNote {
  readonly destination: string;
  readonly links: readonly string[];
}

interface PlannedLink {
  readonly repository: UserRepository;
  readonly state: RepositoryState;
  readonly folder: string;
  readonly link: string;
}

/**
 * A folder with the files of a snapshot. Where the user's repository still has its commit, it is a working tree of it, and
 * so are the nested ones of theirs.
 */
export async function cloneSnapshot(
  context: CloneContext,
  record: SnapshotRecord,
  { destination, name, signal }: CloneRequest,
): Promise<{ workspace: string }> {
  const { ports, store } = context;
  if (await exists(ports, destination)) {
    throw new UserError('destination-exists', `${destination} exists already.`);
  }
  const links = await planLinks(context, record, destination, name);
  const top = links.find(({ state }) => state.path === '');
  const workspace = joinPath(destination, top ? record.prefix : '');
  await writeNote(context, { destination, links: links.map(({ link }) => link) });
  try {
    await ports.files.makeFolder(workspace);
    if (top) {
      await linkWorktree(ports, store, top.repository, top.state, { ...top, name });
      if (record.prefix !== '') await checkOutRest(context, top, record.prefix);
    }
    await writeFiles(context, record.files, workspace, name, signal);
    await makeEmptyFolders(context, record.files, workspace, signal);
    for (const link of links) {
      signal.throwIfAborted();
      if (link === top) continue;
      await ports.files.makeFolder(link.folder);
      await linkWorktree(ports, store, link.repository, link.state, { ...link, name });
    }
    // The index has the times of other files; git looks at the contents once, here rather than at the user's first command.
    for (const { repository, folder } of links) {
      await repository.run(['update-index', '-q', '--refresh'], { cwd: folder, signal });
    }
    return { workspace };
  } catch (error) {
    const cause = await whyNotWritten(ports, workspace, error);
    await removeClone(context, destination);
    throw cause;
  }
}

/** The ones that git does not make, because it knows files alone. */
async function makeEmptyFolders(
  { ports, store }: CloneContext,
  tree: string,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const { oid } = await store.emptyFolder();
  const listed = await store.git(['ls-tree', '-r', '-t', '-z', tree], { signal });
  for (const line of pathsOf(listed.stdout)) {
    // `040000 tree <object>\t<path>`
    const [about = '', path] = line.split('\t', 2);
    if (path === undefined || !about.endsWith(oid)) continue;
    const folder = joinPath(workspace, line.slice(about.length + 1));
    await ports.files.makeFolder(folder);
    await ports.files.setMode(folder, USUAL_FOLDER_MODE);
  }
}

/** git says which files it could not write and not why: on a full disk, nobody else can write either. */
async function whyNotWritten(
  { files }: GitPorts,
  folder: string,
  error: unknown,
): Promise<unknown> {
  const probe = joinPath(folder, '.ah-probe');
  try {
    await files.write(probe, new Uint8Array(PROBE_BYTES));
    await files.remove(probe);
    return error;
  } catch (failure) {
    return errorCode(failure) === 'ENOSPC' ? failure : error;
  }
}

/** @throws UserError when it is none of ours */
export async function removeClone(
  { ports, storage }: CloneContext,
  destination: string,
): Promise<void> {
  const file = noteFile(ports, storage, destination);
  let note: CloneNote;
  try {
    note = JSON.parse(new TextDecoder().decode(await ports.files.read(file))) as CloneNote;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new UserError(
      'not-a-clone',
      `${destination} is not a folder that was made from a snapshot.`,
    );
  }
  await ports.files.removeTree(destination);
  for (const link of note.links) await unlinkWorktree(ports, link);
  await ports.files.removeTree(file);
}

async function planLinks(
  { ports, repositoryAt }: CloneContext,
  record: SnapshotRecord,
  destination: string,
  name: string,
): Promise<PlannedLink[]> {
  const links: PlannedLink[] = [];
  let prefix = '';
  for (const state of record.repositories) {
    const repository = await repositoryAt(state.path);
    if (!repository || !(await canLink(repository, state))) continue;
    if (state.path === '') prefix = record.prefix;
    const folder = joinPath(destination, state.path === '' ? '' : joinPath(prefix, state.path));
    links.push({ repository, state, folder, link: await freeLink(ports, repository, name) });
  }
  return links;
}

/** Of a workspace that is a part of a repository, the other part is as it is in the index. */
async function checkOutRest(
  { ports }: CloneContext,
  { repository, folder }: PlannedLink,
  prefix: string,
): Promise<void> {
  // Conflicts are told about and left out; that is no failure.
  await repository.run(['checkout-index', '-a', '-q'], { cwd: folder });
  await ports.files.removeTree(joinPath(folder, prefix));
  await ports.files.makeFolder(joinPath(folder, prefix));
}

async function writeFiles(
  { ports, store, storage }: CloneContext,
  tree: string,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const index = joinPath(storage, `tmp/clone-${ports.processes.own}-${name}`);
  const run = {
    cwd: folder,
    env: { GIT_INDEX_FILE: index, GIT_WORK_TREE: folder },
    signal,
  };
  try {
    await store.git(['read-tree', tree], run);
    await store.git(['checkout-index', '-a', '-f', '-q'], run);
  } finally {
    await ports.files.removeTree(index);
    await ports.files.removeTree(`${index}.lock`);
  }
}

async function writeNote({ ports, storage }: CloneContext, note: CloneNote): Promise<void> {
  await ports.files.makeFolder(joinPath(storage, 'clones'));
  const file = noteFile(ports, storage, note.destination);
  await ports.files.write(file, encoder.encode(JSON.stringify(note)));
}

function noteFile({ coding }: GitPorts, storage: string, destination: string): string {
  const key = coding.hash('sha1', [encoder.encode(destination)]).slice(0, 20);
  return joinPath(storage, `clones/${key}.json`);
}

async function exists({ files }: GitPorts, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
