import { errorCode, isGoneCode } from '../../../base/errors.ts';
import type { Omission } from '../../common/provider.ts';
import { hasEscapedBytes } from '../../common/pathBytes.ts';
import type { FileKind } from '../../common/ports.ts';
import { baseName, joinPath, relativeWithin } from '../../common/posixPath.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { inParallel } from '../../common/inParallel.ts';
import { readIntoStore } from '../objects/readIntoStore.ts';
import { listChangedFolders } from './changedFolders.ts';
import { editTree } from '../objects/treeEdit.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import { joinRelative, noIndexOf, WorkTreePaths } from './workTree.ts';
import { WorkTreeGit } from './workTreeGit.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

/** With more paths, a full scan is as fast. */
const MAX_PATHS = 2000;
/** Size of the paths in one command: below the system's limit for a command line. */
const MAX_ARGUMENT_BYTES = 100_000;
const STAT_CONCURRENCY = 16;

export interface PathUpdate {
  readonly tree: string;
  /** The paths that were looked at; a folder stands for everything in it. */
  readonly touched: readonly string[];
  /** The changed files that are in the tree now. */
  readonly kept: readonly string[];
  readonly omissions: readonly Omission[];
  readonly recheck: readonly string[];
  readonly changed: number;
  readonly bytes: number;
}

/**
 * Updates a tree at some paths of the workspace. The cost depends on the number of these paths.
 * @returns undefined if a full scan is needed
 */
export async function updatePaths(
  context: ScanContext,
  base: string,
  workTrees: readonly WorkTree[],
  changed: readonly string[],
): Promise<PathUpdate | undefined> {
  const wanted = normalizePaths(changed, workTrees);
  if (!wanted || wanted.length > MAX_PATHS) return undefined;
  const edits = new Map<string, TreeItem | undefined>();
  const touched: string[] = [];
  const omissions: Omission[] = [];
  const recheck: string[] = [];
  let bytes = 0;
  for (const [workTree, paths] of byWorkTree(wanted, workTrees)) {
    const workTreePaths = new WorkTreePaths(workTree);
    const places = await locate(context, workTree, paths);
    if (!places) return undefined;
    const [listed, folders] = await Promise.all([
      listKept(context, workTree, [...places.keys()]),
      listChangedFolders(context, workTree, places),
    ]);
    if (!listed || listed.size > MAX_PATHS || !folders) return undefined;
    const kept = [...listed].filter(
      (path) => !isIn(workTrees, workTreePaths.inWorkspace(path), workTree),
    );
    const read = await readIntoStore(context, workTree.root, kept);
    await seeFolders(context, workTree, places, kept);
    for (const [path, kind] of places) {
      const inWorkspace = workTreePaths.inWorkspace(path);
      // Untested: the caller scans the whole workspace instead.
      if (
        kind === 'folder' &&
        workTrees.some((other) => other !== workTree && isBelow(inWorkspace, other.path))
      ) {
        return undefined;
      }
      touched.push(inWorkspace);
      edits.set(inWorkspace, undefined);
      context.modes.forget(joinPath(workTree.root, path));
      if (kind === 'other') omissions.push({ path: inWorkspace, reason: 'special' });
      else if ((kind === 'file' || kind === 'symlink') && !listed.has(path)) {
        omissions.push({ path: inWorkspace, reason: 'ignored' });
      }
    }
    for (const [path, item] of read.items) edits.set(workTreePaths.inWorkspace(path), item);
    for (const omission of [...read.omissions, ...folders.omissions]) {
      omissions.push({ ...omission, path: workTreePaths.inWorkspace(omission.path) });
    }
    recheck.push(...read.racy.map((path) => workTreePaths.inWorkspace(path)));
    bytes += read.bytes;
    for (const path of folders.empty)
      edits.set(workTreePaths.inWorkspace(path), await context.store.emptyFolder());
  }
  const tree = await editTree(context.store, base, edits);
  const kept = [...edits].flatMap(([path, item]) => (item ? [path] : []));
  return { tree, touched, kept, omissions, recheck, changed: edits.size, bytes };
}

/** Normalizes the paths; returns undefined if one of them may mean more than a changed file. */
function normalizePaths(
  changed: readonly string[],
  workTrees: readonly WorkTree[],
): string[] | undefined {
  const paths = new Set<string>();
  for (const given of changed) {
    const path = given.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
    const parts = path.split('/');
    // Names that are not UTF-8 may not fit a command line, and a watcher reports U+FFFD for their
    // bytes.
    if (hasEscapedBytes(path) || path.includes('\uFFFD')) return undefined;
    if (path === '' || path.startsWith('/') || parts.includes('..') || parts.includes(''))
      return undefined;
    const git = parts.indexOf('.git');
    if (git >= 0) {
      // The git folder of a known repository is checked in each scan anyway. Any other `.git` means
      // that a repository has appeared or disappeared.
      const owner = parts.slice(0, git).join('/');
      if (git === parts.length - 1 || !workTrees.some((workTree) => workTree.path === owner))
        return undefined;
      continue;
    }
    if (baseName(path) === '.gitignore') return undefined;
    paths.add(path);
  }
  return [...paths];
}

function byWorkTree(
  paths: readonly string[],
  workTrees: readonly WorkTree[],
): Map<WorkTree, string[]> {
  const innermostFirst = [...workTrees].sort((a, b) => b.path.length - a.path.length);
  const groups = new Map<WorkTree, string[]>();
  for (const path of paths) {
    // The `!`s: every path is in the top work tree, whose path is empty, and in the one found here.
    const workTree = innermostFirst.find((candidate) => isBelow(candidate.path, path))!;
    groups.set(workTree, [
      ...(groups.get(workTree) ?? []),
      new WorkTreePaths(workTree).inWorkTree(path)!,
    ]);
  }
  return groups;
}

/**
 * Finds what is at each path now. If a parent of the path is missing or no longer a folder, the
 * result has that parent instead.
 * @returns undefined if there is an unknown repository or an inaccessible folder on the way
 */
async function locate(
  { ports, modes }: ScanContext,
  workTree: WorkTree,
  paths: readonly string[],
): Promise<Map<string, FileKind | 'gone'> | undefined> {
  const kinds = new Map<string, Promise<FileKind | 'gone' | 'hidden'>>();
  const kindOf = (path: string): Promise<FileKind | 'gone' | 'hidden'> => {
    const kind =
      kinds.get(path) ??
      ports.files.stat(joinPath(workTree.root, path)).then((stat) => {
        if (stat.kind === 'folder') modes.see(joinPath(workTree.root, path), stat);
        return stat.kind;
      }, kindByError);
    kinds.set(path, kind);
    return kind;
  };
  const places = new Map<string, FileKind | 'gone'>();
  let isUnclear = false;
  await inParallel(paths, STAT_CONCURRENCY, async (path) => {
    let place = workTree.prefix;
    let kind: FileKind | 'gone' = 'folder';
    for (const name of (relativeWithin(workTree.prefix, path) ?? path).split('/')) {
      const next = joinRelative(place, name);
      const [mark, nextKind] = await Promise.all([
        place === workTree.prefix ? 'gone' : kindOf(`${place}/.git`),
        kindOf(next),
      ]);
      if (mark !== 'gone' || nextKind === 'hidden') isUnclear = true;
      if (isUnclear || nextKind === 'hidden') return;
      place = next;
      kind = nextKind;
      if (kind !== 'folder') break;
    }
    places.set(place, kind);
  });
  return isUnclear ? undefined : places;
}

/** A path that can't be accessed is hidden, not gone: it may exist. */
function kindByError(error: unknown): 'gone' | 'hidden' {
  const code = errorCode(error);
  // Untested: an error without a code is a bug and fails the snapshot; nothing counts as gone.
  if (code === undefined) throw error;
  return isGoneCode(code) ? 'gone' : 'hidden';
}

/**
 * Looks at the permissions of the subfolders of folders that were listed with all their content.
 */
async function seeFolders(
  { ports, modes }: ScanContext,
  workTree: WorkTree,
  places: ReadonlyMap<string, FileKind | 'gone'>,
  kept: readonly string[],
): Promise<void> {
  const below = new Set<string>();
  for (const path of kept) {
    const above: string[] = [];
    let at = path.lastIndexOf('/');
    for (; at > 0 && !places.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1)) {
      above.push(joinPath(workTree.root, path.slice(0, at)));
    }
    if (at > 0) for (const folder of above) below.add(folder);
  }
  await modes.seeNow(ports, [...below]);
}

/**
 * Lists the files at and below these places that no rule ignores.
 * @returns undefined if there is a repository among them, or a folder that can't be listed
 */
async function listKept(
  context: ScanContext,
  workTree: WorkTree,
  places: readonly string[],
): Promise<Set<string> | undefined> {
  const git = await WorkTreeGit.for(context, workTree, 'as-before');
  const forced = await forcedPaths(context, workTree);
  const kept = new Set<string>();
  const index = noIndexOf(context);
  for (const some of inPortions(places)) {
    const result = await git.run(['ls-files', '-z', '-o', ...git.excludes, '--', ...some], {
      index,
    });
    // git skips a folder that it can't open, as if its content were ignored.
    if (result.stderr.includes('could not open directory')) return undefined;
    for (const path of pathsOf(result.stdout)) {
      if (path.endsWith('/')) return undefined;
      kept.add(path);
    }
  }
  for (const path of forced) {
    if (places.some((place) => isBelow(place, path))) kept.add(path);
  }
  return kept;
}

function* inPortions(paths: readonly string[]): Generator<string[]> {
  let portion: string[] = [];
  let length = 0;
  for (const path of paths) {
    if (length > MAX_ARGUMENT_BYTES) {
      yield portion;
      portion = [];
      length = 0;
    }
    portion.push(path);
    length += path.length * 3 + 1;
  }
  if (portion.length > 0) yield portion;
}

function isIn(workTrees: readonly WorkTree[], path: string, except: WorkTree): boolean {
  return workTrees.some(
    (workTree) =>
      workTree !== except &&
      workTree.path.length > except.path.length &&
      isBelow(workTree.path, path),
  );
}

function isBelow(folder: string, path: string): boolean {
  return relativeWithin(folder, path) !== undefined;
}
