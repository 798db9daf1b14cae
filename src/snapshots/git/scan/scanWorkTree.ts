import { isInside } from '../../common/pathBelow.ts';
import type { ExecResult } from '../../common/ports.ts';
import type { Omission } from '../../common/provider.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { findCandidates } from './scanCandidates.ts';
import type { ScanCandidates } from './scanCandidates.ts';
import type { WalkResult } from './folderWalk.ts';
import { joinPath } from '../../common/posixPath.ts';
import { seedIndex } from '../index/seedIndex.ts';
import { editTree, findInTree } from '../objects/treeEdit.ts';
import { MODE_FOLDER } from '../objects/treeFormat.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { statFingerprint } from './statFingerprint.ts';
import { indexFileOf, WorkTreePaths } from './workTree.ts';
import { WorkTreeGit } from './workTreeGit.ts';
import { ignoredOmissions, listIgnored, UntrackedListing } from './untrackedListing.ts';
import { readWithoutIndex, updateIndex } from './workTreeUpdate.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

const CHANGES = ['diff-files', '-z', '--raw', '--no-abbrev'];

export interface WorkTreeScan {
  /** The files, without nested repositories. */
  readonly tree: string;
  /** Nested repositories, relative to the workspace. */
  readonly nested: readonly string[];
  /** Relative to the workspace. */
  readonly omissions: readonly Omission[];
  /**
   * Files that were read so soon after a change that another change would not show: the next scan
   * reads them again. Relative to the workspace.
   */
  readonly recheck: readonly string[];
  /**
   * Files whose changes our index may miss: the next scan reads them again. Relative to the
   * workspace.
   */
  readonly unsure: readonly string[];
  readonly changed: number;
  readonly bytes: number;
}

/** Paths, relative to the workspace, whose times can't be trusted. */
export interface Doubts {
  readonly recheck: readonly string[];
  readonly unsure: readonly string[];
}

/** A scan that has begun with the part that needs neither the repository nor the rules. */
export interface BegunScan {
  /**
   * The differences to our index according to git; undefined if this process has not written the
   * index or another process has changed it.
   */
  readonly changes: Promise<ExecResult> | undefined;
}

function listingOf({ ports }: ScanContext, workTree: WorkTree): UntrackedListing {
  return (workTree.memory.listing ??= new UntrackedListing(ports, workTree));
}

/** Starts the slowest part of a scan; {@link scanWorkTree} does the rest. */
export async function beginScan(context: ScanContext, workTree: WorkTree): Promise<BegunScan> {
  listingOf(context, workTree).begin(context.signal);
  const fingerprint = workTree.memory.indexTree?.fingerprint;
  const isStanding =
    fingerprint !== undefined &&
    fingerprint === (await statFingerprint(context, indexFileOf(context, workTree)));
  const changes = isStanding ? WorkTreeGit.withoutRules(context, workTree).run(CHANGES) : undefined;
  // Untested: scanWorkTree awaits the same promise; this only keeps Node from reporting an
  // unhandled error.
  changes?.catch(() => undefined);
  return { changes };
}

/**
 * Finds the differences between a work tree and our index of it, by file times, and makes a tree of
 * the current files. The caller has just read the state of the repository and the rules.
 */
export async function scanWorkTree(
  context: ScanContext,
  workTree: WorkTree,
  doubts: Doubts,
  begun: BegunScan,
): Promise<WorkTreeScan> {
  const { store } = context;
  const git = await WorkTreeGit.for(context, workTree, 'as-before');
  const paths = new WorkTreePaths(workTree);
  await seedIndex(context, workTree, git);
  const [forcedBefore, seen, changes] = await Promise.all([
    forcedPaths(context, workTree),
    listingOf(context, workTree).look(git, indexFileOf(context, workTree), context.signal),
    begun.changes ?? git.run(CHANGES),
  ]);
  let forced = forcedBefore;
  const { walk, others } = seen;
  const unsure = doubts.unsure.filter((path) => paths.inWorkTree(path) !== undefined);
  const recheck = new Set([...doubts.recheck, ...unsure]);
  const findings = {
    walk,
    others,
    changes: changes.stdout,
    recheck: [...recheck].flatMap((path) => paths.inWorkTree(path) ?? []),
  };
  let found = await findCandidates(context, workTree, { ...findings, forced });
  const hasNewRules =
    found.hasNewRules || workTree.memory.rules !== git.rules || workTree.memory.scanned !== forced;
  if (hasNewRules) {
    forced = await forcedPaths(context, workTree, 'anew');
    if (forced !== forcedBefore) {
      found = await findCandidates(context, workTree, { ...findings, forced });
    }
  }
  const dropped = await findDroppedEntries(workTree, git, found, hasNewRules ? forced : undefined);
  const doubted = findings.recheck.filter((path) => !forced.has(path));
  found = withoutIgnored(found, dropped, doubted, seen.ignored);
  workTree.memory.rules = git.rules;
  workTree.memory.scanned = forced;
  // git does not list tracked files as ignored, so list again if our index gains or loses entries.
  const needsListing =
    hasNewRules || dropped.length > 0 || found.added.some(({ path }) => forced.has(path));
  const update =
    (needsListing ? undefined : await readWithoutIndex(context, workTree, found)) ??
    (await updateIndex(context, workTree, git, found, dropped));
  const { ignored } = needsListing ? await listIgnored(git) : seen;
  await noteModes(context, workTree, walk, found, dropped);

  const closed = new Set(walk.unreadable);
  const { edits } = update;
  // Files in a folder that can't be listed may be readable; still, the folder is omitted as a
  // whole.
  for (const path of edits.keys()) if (isInside(closed, path)) edits.delete(path);
  for (const path of closed) edits.set(path, undefined);
  const nothing = walk.empty.length > 0 ? await store.emptyFolder() : undefined;
  for (const path of walk.empty) edits.set(path, nothing);
  const omissions: Omission[] = [
    ...ignoredOmissions(ignored, forced),
    ...walk.unreadable.map((path) => ({ path, reason: 'unreadable' as const })),
    ...walk.special.map((path) => ({ path, reason: 'special' as const })),
    // An unreadable folder stands for everything in it.
    ...[...found.omissions, ...update.omissions].filter(({ path }) => !isInside(closed, path)),
  ];
  const nested = new Set(found.nested.map((path) => paths.inWorkspace(path)));
  const edited = edits.size > 0 ? await editTree(store, update.tree, edits) : update.tree;
  const kept = await findInTree(store, edited, workTree.prefix);
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

/** Notes the permissions that the scan has seen. Unchanged files keep their known permissions. */
async function noteModes(
  { ports, modes }: ScanContext,
  workTree: WorkTree,
  walk: WalkResult,
  { added, removed }: ScanCandidates,
  dropped: readonly string[],
): Promise<void> {
  const placeOf = (path: string): string => joinPath(workTree.root, path);
  for (const path of [...removed, ...dropped]) modes.forget(placeOf(path));
  for (const { path, stat } of added) modes.see(placeOf(path), stat);
  await modes.seeNow(ports, walk.changed.map(placeOf));
}

/**
 * Leaves out files that are ignored now, and would be read because our index had them or because
 * their times can't be trusted.
 */
function withoutIgnored(
  found: ScanCandidates,
  dropped: readonly string[],
  recheck: readonly string[],
  ignored: readonly string[],
): ScanCandidates {
  if (dropped.length === 0 && recheck.length === 0) return found;
  const [gone, again, out] = [new Set(dropped), new Set(recheck), new Set(ignored)];
  const isOut = (path: string) => gone.has(path) || (again.has(path) && isInside(out, path));
  return { ...found, added: found.added.filter(({ path }) => !isOut(path)) };
}

/**
 * Lists entries to drop from our index: files that are ignored now or in a new nested repository.
 */
async function findDroppedEntries(
  workTree: WorkTree,
  git: WorkTreeGit,
  found: ScanCandidates,
  forcedByNewRules: ReadonlySet<string> | undefined,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const path of found.nested) {
    if (workTree.memory.separated.has(path)) continue;
    const tracked = await git.run(['ls-files', '-z', '-c', '--', path]);
    for (const file of pathsOf(tracked.stdout)) dropped.push(file);
    workTree.memory.separated.add(path);
  }
  for (const path of workTree.memory.separated) {
    if (!found.nested.includes(path)) workTree.memory.separated.delete(path);
  }
  if (forcedByNewRules) {
    const tracked = await git.run(['ls-files', '-z', '-c', '-i', ...git.excludes]);
    for (const path of pathsOf(tracked.stdout)) if (!forcedByNewRules.has(path)) dropped.push(path);
  }
  return dropped;
}
