import { isInside } from '../../common/pathBelow.ts';
import type { ExecResult } from '../../common/ports.ts';
import type { Omission } from '../../common/provider.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { findCandidates } from './scanCandidates.ts';
import type { Candidates } from './scanCandidates.ts';
import type { WalkResult } from './folderWalk.ts';
import { joinPath } from '../../common/posixPath.ts';
import { seedIndex } from '../index/seedIndex.ts';
import { editTree, findInTree } from '../objects/treeEdit.ts';
import { MODE_FOLDER } from '../objects/treeFormat.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { statFingerprint } from './statFingerprint.ts';
import { indexFileOf, WorkTreeGit, WorkTreePaths } from './workTree.ts';
import { ignoredOmissions, listIgnored, UntrackedListing } from './untrackedListing.ts';
import { readBeside, readIntoIndex } from './workTreeUpdate.ts';
import { pathsOf } from '../zeroSeparated.ts';

const CHANGES = ['diff-files', '-z', '--raw', '--no-abbrev'];

export interface WorkTreeScan {
  /** The files, nested repositories left out. */
  readonly tree: string;
  /** Where nested repositories are, relative to the workspace. */
  readonly nested: readonly string[];
  /** Relative to the workspace. */
  readonly omissions: readonly Omission[];
  /** Read so soon after a change that another would not show: to be read again next time. Relative to the workspace. */
  readonly recheck: readonly string[];
  /** To be read again by the next scan, because our index may not show a change. Relative to the workspace. */
  readonly unsure: readonly string[];
  readonly changed: number;
  readonly bytes: number;
}

/** Paths, relative to the workspace, whose times are not to be trusted. */
export interface Doubts {
  readonly recheck: readonly string[];
  readonly unsure: readonly string[];
}

/** What of a scan needs to know neither the repository nor the rules, on its way. */
export interface BegunScan {
  /** What git says that differs from our index; none where that index has to be made first. */
  readonly changes: Promise<ExecResult> | undefined;
}

/** Begins to scan: most of the time is spent on this. Followed by {@link scanWorkTree}. */
export async function beginScan(context: ScanContext, unit: WorkTree): Promise<BegunScan> {
  (unit.memory.sight ??= new UntrackedListing(context, unit)).begin(context.signal);
  const sign = unit.memory.standing?.sign;
  const isStanding =
    sign !== undefined && sign === (await statFingerprint(context, indexFileOf(context, unit)));
  const changes = isStanding ? WorkTreeGit.withoutRules(context, unit).run(CHANGES) : undefined;
  // Untested: scanUnit awaits the same promise; this only keeps Node from reporting it.
  changes?.catch(() => undefined);
  return { changes };
}

/**
 * Finds what differs from our index of a unit, by the times that it has noted, and makes a tree of both. Its repository and its
 * rules have just been looked at.
 */
export async function scanWorkTree(
  context: ScanContext,
  unit: WorkTree,
  doubts: Doubts,
  begun: BegunScan,
): Promise<WorkTreeScan> {
  const { store } = context;
  const own = await WorkTreeGit.for(context, unit, 'as-before');
  const paths = new WorkTreePaths(unit);
  await seedIndex(context, unit, own);
  const [forcedBefore, seen, changes] = await Promise.all([
    forcedPaths(context, unit),
    unit.memory.sight!.look(context, unit, own),
    begun.changes ?? own.run(CHANGES),
  ]);
  let forced = forcedBefore;
  const { walk, others } = seen;
  const unsure = doubts.unsure.filter((path) => paths.inUnit(path) !== undefined);
  const recheck = new Set([...doubts.recheck, ...unsure]);
  const findings = {
    ...{ walk, others, changes: changes.stdout },
    recheck: [...recheck].flatMap((path) => paths.inUnit(path) ?? []),
  };
  let found = await findCandidates(context, unit, { ...findings, forced });
  const hasNewRules =
    found.hasNewRules || unit.memory.rules !== own.rules || unit.memory.scanned !== forced;
  if (hasNewRules) {
    forced = await forcedPaths(context, unit, 'anew');
    if (forced !== forcedBefore) {
      found = await findCandidates(context, unit, { ...findings, forced });
    }
  }
  const dropped = await noLongerOurs(unit, own, found, hasNewRules ? forced : undefined);
  const doubted = findings.recheck.filter((path) => !forced.has(path));
  found = withoutIgnored(found, dropped, doubted, seen.ignored);
  unit.memory.rules = own.rules;
  unit.memory.scanned = forced;
  // What is tracked is not ignored: git answers otherwise once our index has more, or less.
  const isOther =
    hasNewRules || dropped.length > 0 || found.added.some(({ path }) => forced.has(path));
  const update =
    (isOther ? undefined : await readBeside(context, unit, found)) ??
    (await readIntoIndex(context, unit, own, found, dropped));
  const { ignored } = isOther ? await listIgnored(own) : seen;
  await noteModes(context, unit, walk, found, dropped);

  const closed = new Set(walk.unreadable);
  const { edits } = update;
  // What is in a folder that may not be listed can be read by who knows its name: still, the folder is left out as a whole.
  for (const path of edits.keys()) if (isInside(closed, path)) edits.delete(path);
  for (const path of closed) edits.set(path, undefined);
  const nothing = walk.empty.length > 0 ? await store.emptyFolder() : undefined;
  for (const path of walk.empty) edits.set(path, nothing);
  const omissions: Omission[] = [
    ...ignoredOmissions(ignored, forced),
    ...walk.unreadable.map((path) => ({ path, reason: 'unreadable' as const })),
    ...walk.special.map((path) => ({ path, reason: 'special' as const })),
    // A folder stands for all that is in it.
    ...[...found.omissions, ...update.omissions].filter(({ path }) => !isInside(closed, path)),
  ];
  const nested = new Set(found.nested.map((path) => paths.inWorkspace(path)));
  const edited = edits.size > 0 ? await editTree(store, update.tree, edits) : update.tree;
  const kept = await findInTree(store, edited, unit.prefix);
  return {
    tree: kept?.mode === MODE_FOLDER ? kept.oid : await store.writeTree(new Map()),
    nested: [...nested],
    omissions: omissions.map((omission) => ({
      ...omission,
      path: paths.inWorkspace(omission.path),
    })),
    recheck: update.racy.map((path) => paths.inWorkspace(path)),
    unsure:
      update.unsure?.map((path) => paths.inWorkspace(path)) ??
      unsure.filter((path) => !isInside(nested, path)),
    changed: found.added.length + found.removed.length + dropped.length,
    bytes: update.bytes,
  };
}

/** What was neither changed nor replaced has the permissions that it had. */
async function noteModes(
  { ports, modes }: ScanContext,
  unit: WorkTree,
  walk: WalkResult,
  { added, removed }: Candidates,
  dropped: readonly string[],
): Promise<void> {
  const placeOf = (path: string): string => joinPath(unit.root, path);
  for (const path of [...removed, ...dropped]) modes.forget(placeOf(path));
  for (const { path, stat } of added) modes.see(placeOf(path), stat);
  await modes.seeNow(ports, walk.changed.map(placeOf));
}

/** What is ignored by now is not read, though our index had it, or its times are not trusted. */
function withoutIgnored(
  found: Candidates,
  dropped: readonly string[],
  recheck: readonly string[],
  ignored: readonly string[],
): Candidates {
  if (dropped.length === 0 && recheck.length === 0) return found;
  const [gone, again, out] = [new Set(dropped), new Set(recheck), new Set(ignored)];
  const isOut = (path: string) => gone.has(path) || (again.has(path) && isInside(out, path));
  return { ...found, added: found.added.filter(({ path }) => !isOut(path)) };
}

/** What our index has and should not: files of a repository that was made meanwhile, and what is ignored by now. */
async function noLongerOurs(
  unit: WorkTree,
  own: WorkTreeGit,
  found: Candidates,
  forcedByNewRules: ReadonlySet<string> | undefined,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const path of found.nested) {
    if (unit.memory.separated.has(path)) continue;
    const tracked = await own.run(['ls-files', '-z', '-c', '--', path]);
    for (const file of pathsOf(tracked.stdout)) dropped.push(file);
    unit.memory.separated.add(path);
  }
  for (const path of unit.memory.separated) {
    if (!found.nested.includes(path)) unit.memory.separated.delete(path);
  }
  if (forcedByNewRules) {
    const tracked = await own.run(['ls-files', '-z', '-c', '-i', ...own.excludes]);
    for (const path of pathsOf(tracked.stdout)) if (!forcedByNewRules.has(path)) dropped.push(path);
  }
  return dropped;
}
