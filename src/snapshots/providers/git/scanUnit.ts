import type { Omission } from '../../provider.ts';
import type { ExecResult } from '../../ports.ts';
import { baseName } from '../volume/posixPath.ts';
import { walkFolders } from './folderWalk.ts';
import { forcedPaths } from './forcedPaths.ts';
import { addPaths, removePaths } from './privateIndex.ts';
import { readIntoStore } from './readIntoStore.ts';
import { findCandidates } from './scanCandidates.ts';
import type { Candidates } from './scanCandidates.ts';
import { seedIndex } from './seedIndex.ts';
import { editTree, findInTree } from './treeEdit.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_FOLDER } from './treeFormat.ts';
import type { ScanContext, Unit } from './unit.ts';
import { indexFileOf, isInside, UnitGit, UnitPaths } from './unit.ts';
import { pathsOf } from './zeroSeparated.ts';

export interface UnitScan {
  /** The files, nested repositories left out. */
  readonly tree: string;
  /** Where nested repositories are, relative to the workspace. */
  readonly nested: readonly string[];
  /** Relative to the workspace. */
  readonly omissions: readonly Omission[];
  /** Read so soon after a change that another would not show: to be read again next time. Relative to the workspace. */
  readonly recheck: readonly string[];
  readonly changed: number;
  readonly bytes: number;
}

/**
 * Brings our index of a unit up to date with its files, by the times that it has noted, and makes a tree of it.
 * @param recheck paths, relative to the workspace, whose times are not to be trusted
 */
export async function scanUnit(
  context: ScanContext,
  unit: Unit,
  recheck: readonly string[],
): Promise<UnitScan> {
  const { ports, store, signal } = context;
  const own = await UnitGit.for(context, unit);
  const paths = new UnitPaths(unit);
  await seedIndex(context, unit, own);
  const soonIgnored = ignoredPaths(own);
  const [forcedBefore, ignoredBefore, walk, changes, others] = await Promise.all([
    forcedPaths(context, unit),
    soonIgnored,
    soonIgnored.then((skipped) =>
      walkFolders(ports, unit.root, unit.prefix, new Set(skipped), signal),
    ),
    own.run(['diff-files', '-z', '--raw', '--no-abbrev']),
    own.run(['ls-files', '-z', '-o', ...own.excludes, ...own.within]),
  ]);
  let forced = forcedBefore;
  const findings = {
    walk,
    changes: changes.stdout,
    others: others.stdout,
    recheck: recheck.flatMap((path) => paths.inUnit(path) ?? []),
  };
  let found = await findCandidates(context, unit, { ...findings, forced });
  const hasNewRules =
    found.hasNewRules || unit.memory.rules !== own.rules || unit.memory.scanned !== forced;
  if (hasNewRules) {
    delete unit.memory.forced;
    forced = await forcedPaths(context, unit);
    found = await findCandidates(context, unit, { ...findings, forced });
  }
  const dropped = await noLongerOurs(unit, own, found, hasNewRules ? forced : undefined);
  unit.memory.rules = own.rules;
  unit.memory.scanned = forced;
  await removePaths(own, [...found.removed, ...dropped]);
  const added = await addPaths(context, unit, own, found.added);
  const whole = textOf(await own.run(['write-tree']));
  await store.setRef(`cache/${baseName(indexFileOf(context, unit))}`, whole);

  // What is tracked is not ignored: git answers otherwise once our index has more, or less.
  const isOther =
    hasNewRules || dropped.length > 0 || found.added.some(({ path }) => forced.has(path));
  const ignored = isOther ? await ignoredPaths(own) : ignoredBefore;

  const read = await readIntoStore(context, unit.root, added.doubtful);
  const edits = new Map<string, TreeItem | undefined>(read.items);
  for (const path of walk.unreadable) edits.set(path, undefined);
  const omissions: Omission[] = [
    ...ignored
      .filter((path) => !forced.has(path))
      .map((path) => ({ path, reason: 'ignored' as const })),
    ...walk.unreadable.map((path) => ({ path, reason: 'unreadable' as const })),
    ...walk.special.map((path) => ({ path, reason: 'special' as const })),
    ...found.omissions,
    ...read.omissions,
  ];
  const edited = edits.size > 0 ? await editTree(store, whole, edits) : whole;
  const kept = await findInTree(store, edited, unit.prefix);
  return {
    tree: kept?.mode === MODE_FOLDER ? kept.oid : await store.writeTree(new Map()),
    nested: found.nested.map((path) => paths.inWorkspace(path)),
    omissions: omissions.map((omission) => ({
      ...omission,
      path: paths.inWorkspace(omission.path),
    })),
    recheck: [...added.racy, ...read.racy].map((path) => paths.inWorkspace(path)),
    changed: found.added.length + found.removed.length + dropped.length,
    bytes: added.bytes + read.bytes,
  };
}

/** What rules leave out, whole folders in one. */
async function ignoredPaths(own: UnitGit): Promise<string[]> {
  const args = ['ls-files', '-z', '-o', '-i', '--directory', ...own.excludes, ...own.within];
  const listed = pathsOf((await own.run(args)).stdout);
  const folders = new Set(listed.filter((path) => path.endsWith('/')).map(withoutSlash));
  // A folder that has nothing but ignored files is listed together with them.
  return listed.map(withoutSlash).filter((path) => folders.has(path) || !isInside(folders, path));
}

/** What our index has and should not: files of a repository that was made meanwhile, and what is ignored by now. */
async function noLongerOurs(
  unit: Unit,
  own: UnitGit,
  found: Candidates,
  forcedByNewRules: ReadonlySet<string> | undefined,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const path of found.nested) {
    if (unit.memory.separated.has(path)) continue;
    const tracked = await own.run(['ls-files', '-z', '-c', '--', path]);
    dropped.push(...pathsOf(tracked.stdout));
    unit.memory.separated.add(path);
  }
  for (const path of unit.memory.separated) {
    if (!found.nested.includes(path)) unit.memory.separated.delete(path);
  }
  if (forcedByNewRules) {
    const tracked = await own.run(['ls-files', '-z', '-c', '-i', ...own.excludes]);
    dropped.push(...pathsOf(tracked.stdout).filter((path) => !forcedByNewRules.has(path)));
  }
  return dropped;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function textOf({ stdout }: ExecResult): string {
  return new TextDecoder().decode(stdout).trim();
}
