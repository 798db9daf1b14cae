import type { Omission } from '../../common/provider.ts';
import { hasEscapedBytes } from '../../common/pathBytes.ts';
import type { FileKind } from '../../common/ports.ts';
import { errorCode, saysGone } from '../../volume/errorCode.ts';
import { baseName, joinPath, relativeWithin } from '../../common/posixPath.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { inParallel } from '../../common/inParallel.ts';
import { readIntoStore } from '../objects/readIntoStore.ts';
import { lookIntoFolders } from './changedFolders.ts';
import { editTree } from '../objects/treeEdit.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import { joinRelative, noIndexOf, WorkTreeGit, WorkTreePaths } from './workTree.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { pathsOf } from '../zeroSeparated.ts';

/** Beyond that a scan is as fast. */
const MAX_PATHS = 2000;
/** More than a command line should hold. */
const MAX_ARGUMENT_BYTES = 100_000;
const LOOKERS = 16;

export interface PathUpdate {
  readonly tree: string;
  /** Paths, whole folders in one, that were looked at. */
  readonly touched: readonly string[];
  /** The files among them that are in the tree now. */
  readonly kept: readonly string[];
  readonly omissions: readonly Omission[];
  readonly recheck: readonly string[];
  readonly changed: number;
  readonly bytes: number;
}

/**
 * Brings a tree up to date at some paths of the workspace, at a cost that follows their number alone.
 * @returns undefined when only a scan can tell
 */
export async function updatePaths(
  context: ScanContext,
  base: string,
  units: readonly WorkTree[],
  changed: readonly string[],
): Promise<PathUpdate | undefined> {
  const wanted = sortOut(changed, units);
  if (!wanted || wanted.length > MAX_PATHS) return undefined;
  const edits = new Map<string, TreeItem | undefined>();
  const touched: string[] = [];
  const omissions: Omission[] = [];
  const recheck: string[] = [];
  let bytes = 0;
  for (const [unit, paths] of byUnit(wanted, units)) {
    const unitPaths = new WorkTreePaths(unit);
    const places = await locate(context, unit, paths);
    if (!places) return undefined;
    const [listed, folders] = await Promise.all([
      listKept(context, unit, [...places.keys()]),
      lookIntoFolders(context, unit, places),
    ]);
    if (!listed || listed.size > MAX_PATHS || !folders) return undefined;
    const kept = [...listed].filter((path) => !isIn(units, unitPaths.inWorkspace(path), unit));
    const read = await readIntoStore(context, unit.root, kept);
    await seeFolders(context, unit, places, kept);
    for (const [path, kind] of places) {
      const inWorkspace = unitPaths.inWorkspace(path);
      // Untested: the caller scans the whole workspace instead.
      if (
        kind === 'folder' &&
        units.some((other) => other !== unit && isBelow(inWorkspace, other.path))
      ) {
        return undefined;
      }
      touched.push(inWorkspace);
      edits.set(inWorkspace, undefined);
      context.modes.forget(joinPath(unit.root, path));
      if (kind === 'other') omissions.push({ path: inWorkspace, reason: 'special' });
      else if ((kind === 'file' || kind === 'symlink') && !listed.has(path)) {
        omissions.push({ path: inWorkspace, reason: 'ignored' });
      }
    }
    for (const [path, item] of read.items) edits.set(unitPaths.inWorkspace(path), item);
    for (const omission of [...read.omissions, ...folders.omissions]) {
      omissions.push({ ...omission, path: unitPaths.inWorkspace(omission.path) });
    }
    recheck.push(...read.racy.map((path) => unitPaths.inWorkspace(path)));
    bytes += read.bytes;
    for (const path of folders.empty)
      edits.set(unitPaths.inWorkspace(path), await context.store.emptyFolder());
  }
  const tree = await editTree(context.store, base, edits);
  const kept = [...edits].flatMap(([path, item]) => (item ? [path] : []));
  return { tree, touched, kept, omissions, recheck, changed: edits.size, bytes };
}

/** Plain relative paths of files; undefined when one of them means more than a change to a file. */
function sortOut(changed: readonly string[], units: readonly WorkTree[]): string[] | undefined {
  const paths = new Set<string>();
  for (const given of changed) {
    const path = given.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
    const parts = path.split('/');
    // Not every name fits a command line; one that is not UTF-8 is told with U+FFFD, and may be any.
    if (hasEscapedBytes(path) || path.includes('\uFFFD')) return undefined;
    if (path === '' || path.startsWith('/') || parts.includes('..') || parts.includes(''))
      return undefined;
    const git = parts.indexOf('.git');
    if (git >= 0) {
      // A known repository's own files are looked at each time; any other `.git` is a repository that comes or goes.
      const owner = parts.slice(0, git).join('/');
      if (git === parts.length - 1 || !units.some((unit) => unit.path === owner)) return undefined;
      continue;
    }
    if (baseName(path) === '.gitignore') return undefined;
    paths.add(path);
  }
  return [...paths];
}

function byUnit(paths: readonly string[], units: readonly WorkTree[]): Map<WorkTree, string[]> {
  const innermostFirst = [...units].sort((a, b) => b.path.length - a.path.length);
  const groups = new Map<WorkTree, string[]>();
  for (const path of paths) {
    const unit = innermostFirst.find((candidate) => isBelow(candidate.path, path))!;
    groups.set(unit, [...(groups.get(unit) ?? []), new WorkTreePaths(unit).inUnit(path)!]);
  }
  return groups;
}

/**
 * What is at each path now. Where a folder on the way is gone, or is none any more, that is the place.
 * @returns undefined when there is a repository on the way that is not known yet, or a folder that may not be looked into
 */
async function locate(
  { ports, modes }: ScanContext,
  unit: WorkTree,
  paths: readonly string[],
): Promise<Map<string, FileKind | 'gone'> | undefined> {
  const kinds = new Map<string, Promise<FileKind | 'gone' | 'hidden'>>();
  const kindOf = (path: string): Promise<FileKind | 'gone' | 'hidden'> => {
    const kind =
      kinds.get(path) ??
      ports.files.stat(joinPath(unit.root, path)).then((stat) => {
        if (stat.kind === 'folder') modes.see(joinPath(unit.root, path), stat);
        return stat.kind;
      }, kindByError);
    kinds.set(path, kind);
    return kind;
  };
  const places = new Map<string, FileKind | 'gone'>();
  let isUnclear = false;
  await inParallel(paths, LOOKERS, async (path) => {
    let place = unit.prefix;
    let kind: FileKind | 'gone' = 'folder';
    for (const name of (relativeWithin(unit.prefix, path) ?? path).split('/')) {
      const next = joinRelative(place, name);
      const [mark, nextKind] = await Promise.all([
        place === unit.prefix ? 'gone' : kindOf(`${place}/.git`),
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

/** What cannot be looked at may well be there. */
function kindByError(error: unknown): 'gone' | 'hidden' {
  const code = errorCode(error);
  // Untested: a bug's error fails the snapshot; nothing counts as gone.
  if (code === undefined) throw error;
  return saysGone(code) ? 'gone' : 'hidden';
}

/** Of folders that were looked into as a whole, those below them too. */
async function seeFolders(
  { ports, modes }: ScanContext,
  unit: WorkTree,
  places: ReadonlyMap<string, FileKind | 'gone'>,
  kept: readonly string[],
): Promise<void> {
  const below = new Set<string>();
  for (const path of kept) {
    const above: string[] = [];
    let at = path.lastIndexOf('/');
    for (; at > 0 && !places.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1)) {
      above.push(joinPath(unit.root, path.slice(0, at)));
    }
    if (at > 0) for (const folder of above) below.add(folder);
  }
  await modes.seeNow(ports, [...below]);
}

/**
 * The files at these places, and below them, that no rule ignores.
 * @returns undefined when there is a repository among them, or a folder that may not be listed
 */
async function listKept(
  context: ScanContext,
  unit: WorkTree,
  places: readonly string[],
): Promise<Set<string> | undefined> {
  const own = await WorkTreeGit.for(context, unit, 'as-before');
  const forced = await forcedPaths(context, unit);
  const kept = new Set<string>();
  const index = noIndexOf(context);
  for (const some of inPortions(places)) {
    const result = await own.run(['ls-files', '-z', '-o', ...own.excludes, '--', ...some], {
      index,
    });
    // It passes over such a folder, and would leave out what is in it as if a rule did.
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

function isIn(units: readonly WorkTree[], path: string, except: WorkTree): boolean {
  return units.some(
    (unit) => unit !== except && unit.path.length > except.path.length && isBelow(unit.path, path),
  );
}

function isBelow(folder: string, path: string): boolean {
  return relativeWithin(folder, path) !== undefined;
}
