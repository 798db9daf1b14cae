import { exists } from '../exists.ts';
import { errorCode, UserError } from '../../../base/errors.ts';
import type { ClonedFolder, CloneRequest, KeptRepository } from '../../common/provider.ts';
import { joinPath } from '../../common/posixPath.ts';
import {
  emptyFoldersIn,
  makeEmptyFolders,
  writeFiles,
  type CloneFilesContext,
} from './cloneFiles.ts';
import { CloneLinks, ownLinks, removeDraft, removeLink, type WantedLink } from './cloneLinks.ts';
import { setModes } from './cloneModes.ts';
import { CloneNotes } from './cloneNotes.ts';
import { convertsLineEnds } from '../index/conversions.ts';
import type { GitPorts } from '../gitPorts.ts';
import { readChunks } from '../index/indexState.ts';
import { withTimesOf } from '../index/indexTimes.ts';
import { refreshIndex } from '../index/refreshIndex.ts';
import type { UserRepository } from '../worktree/repository.ts';
import type { RepositoryState } from '../worktree/repositoryState.ts';
import type { GitSnapshotRecord } from '../objects/gitSnapshotRecord.ts';
import { canLink, linkWorktree } from '../worktree/worktreeLink.ts';

/** Size of a test file: more than the space that a nearly full disk has left for small files. */
const PROBE_BYTES = 256 * 1024;

export interface CloneContext extends CloneFilesContext {
  /** Returns the user's repository at a path of the workspace, if it exists now. */
  readonly repositoryAt: (path: string) => Promise<UserRepository | undefined>;
}

interface PlannedLink extends WantedLink {
  readonly state: RepositoryState;
}

interface LinkWithIndex extends PlannedLink {
  /** The index as it was in the snapshot. */
  readonly index: Uint8Array | undefined;
  readonly convertsLineEnds: boolean;
}

/**
 * Creates a folder with the files of a snapshot. If the user's repository still has the commit that
 * HEAD was at, the folder becomes a git worktree of the repository. The same applies to nested
 * repositories.
 */
export async function cloneSnapshot(
  context: CloneContext,
  record: GitSnapshotRecord,
  { destination, name, signal, onDidBegin }: CloneRequest,
): Promise<ClonedFolder> {
  const { ports } = context;
  if (await exists(ports, destination)) {
    throw new UserError('destination-exists', `${destination} already exists.`);
  }
  const wanted = await planLinks(context, record, destination);
  const notes = new CloneNotes(ports, context.storage);
  const names = new CloneLinks(ports, notes, destination, name);
  await names.plan(wanted);
  let workspace = destination;
  try {
    // If the workspace is a part of a repository that can be linked, it is a subfolder of the
    // clone.
    const known = record.prefix === '' ? undefined : await possibleLinks(wanted);
    const top = known?.find(isTop);
    if (top) {
      workspace = joinPath(destination, record.prefix);
      await ports.files.makeFolder(workspace);
      const index = await savedIndex(context, top);
      await linkAs(context, top, names, index);
      await checkOutRest(context, top, record.prefix);
    }
    await ports.files.makeFolder(workspace);
    onDidBegin?.();
    // Wait for all: if one fails, cleanup must not run while others still write. The slowest starts
    // first.
    const [written, empty, links] = await settleAll([
      writeFiles(context, record.files, workspace, name, signal),
      emptyFoldersIn(context, record.files, signal),
      linksWithIndexes(context, known ?? possibleLinks(wanted)),
    ]);
    await makeEmptyFolders(context, workspace, empty);
    await setModes(context, record.modes, record.files, workspace);
    await names.retain(links);
    for (const link of links) {
      signal.throwIfAborted();
      if (top && isTop(link)) await refreshIndex(link, undefined, signal);
      else await linkWritten(context, link, names, written, signal);
    }
    return { workspace, repositories: repositoriesOf(record, links) };
  } catch (error) {
    const cause = await findDiskFullCause(ports, workspace, error);
    await removeClone(context, destination);
    throw cause;
  }
}

/** Lists the repositories of a snapshot and whether a clone would be linked to them now. */
export async function keptRepositories(
  context: CloneContext,
  record: GitSnapshotRecord,
): Promise<KeptRepository[]> {
  // The answer does not depend on the destination, so any will do.
  return repositoriesOf(record, await possibleLinks(await planLinks(context, record, '')));
}

function repositoriesOf(
  record: GitSnapshotRecord,
  linked: readonly PlannedLink[],
): KeptRepository[] {
  const paths = new Set(linked.map(({ state }) => state.path));
  return record.repositories.map(({ path }) => ({ path, isLinked: paths.has(path) }));
}

/**
 * Turns a folder whose files were just written into a git worktree, with the times of these files
 * in its index.
 */
async function linkWritten(
  context: CloneContext,
  link: LinkWithIndex,
  names: CloneLinks,
  written: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const { ports, store } = context;
  await ports.files.makeFolder(link.folder);
  const { repository, state, index: saved } = link;
  const isComparable = saved !== undefined && repository.format === store.format;
  const prefix = state.path === '' ? '' : `${state.path}/`;
  const format = repository.format;
  const timed =
    isComparable && !state.index?.shared
      ? withTimesOf(saved, written, prefix, { coding: ports.coding, format })
      : undefined;
  await linkAs(context, link, names, timed?.bytes ?? saved);
  if (saved) await refreshIndex(link, timed?.doubtful, signal);
}

async function linksWithIndexes(
  context: CloneContext,
  links: readonly PlannedLink[] | Promise<readonly PlannedLink[]>,
): Promise<LinkWithIndex[]> {
  return Promise.all(
    (await links).map(async (link) => {
      const known = [savedIndex(context, link), convertsLineEnds(link.repository)] as const;
      const [index, isConverting] = await Promise.all(known);
      return { ...link, index, convertsLineEnds: isConverting };
    }),
  );
}

async function savedIndex(
  { store }: CloneContext,
  { state }: PlannedLink,
): Promise<Uint8Array | undefined> {
  return state.index && readChunks(store, state.index.chunks);
}

async function linkAs(
  { ports, store }: CloneContext,
  planned: PlannedLink,
  names: CloneLinks,
  index: Uint8Array | undefined,
): Promise<void> {
  const { repository, state, folder } = planned;
  const link = await names.claim(planned);
  await linkWorktree(ports, store, repository, state, { folder, link, index });
}

function isTop({ state }: PlannedLink): boolean {
  return state.path === '';
}

/** Waits for all tasks to end, then returns their results. */
async function settleAll<T extends readonly unknown[]>(tasks: {
  [K in keyof T]: Promise<T[K]>;
}): Promise<T> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

/** git names the files it could not write, but not why: test whether the disk is full. */
async function findDiskFullCause(
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

/** @throws UserError if the destination is not a clone that we made */
export async function removeClone(
  { ports, storage }: CloneContext,
  destination: string,
): Promise<void> {
  const notes = new CloneNotes(ports, storage);
  const { links } = await notes.read(destination);
  const own = await ownLinks(ports, destination, links);
  await ports.files.removeTree(destination);
  for (const link of own) await removeLink(ports, link);
  for (const link of links) await removeDraft(ports, link, destination);
  await notes.remove(destination);
}

async function planLinks(
  { repositoryAt }: CloneContext,
  record: GitSnapshotRecord,
  destination: string,
): Promise<PlannedLink[]> {
  const links: PlannedLink[] = [];
  let prefix = '';
  for (const state of record.repositories) {
    const repository = await repositoryAt(state.path);
    if (!repository) continue;
    // The folders of nested repositories depend on whether this one can be linked.
    if (record.prefix !== '' && !(await canLink(repository, state))) continue;
    if (state.path === '') prefix = record.prefix;
    const folder = joinPath(destination, state.path === '' ? '' : joinPath(prefix, state.path));
    links.push({ repository, state, folder, isUnborn: state.head.commit === undefined });
  }
  return links;
}

/** Selects the links whose repository still has the required commit. */
async function possibleLinks(links: readonly PlannedLink[]): Promise<PlannedLink[]> {
  const answers = await Promise.all(links.map((link) => canLink(link.repository, link.state)));
  return links.filter((_link, number) => answers[number]);
}

/** If the workspace is a part of a repository, checks out the rest of the repository's index. */
async function checkOutRest(
  { ports }: CloneContext,
  { repository, folder }: PlannedLink,
  prefix: string,
): Promise<void> {
  // git reports files with conflicts and skips them, which is not a failure.
  await repository.run(['checkout-index', '-a', '-q'], { cwd: folder });
  await ports.files.removeTree(joinPath(folder, prefix));
  await ports.files.makeFolder(joinPath(folder, prefix));
}
