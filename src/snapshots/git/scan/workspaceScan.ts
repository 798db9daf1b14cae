import { UserError } from '../../../base/errors.ts';
import { isInside } from '../../common/pathBelow.ts';
import type { Omission } from '../../common/provider.ts';
import { hasEscapedBytes } from '../../common/pathBytes.ts';
import { relativeWithin } from '../../common/posixPath.ts';
import { updatePaths } from './changedPaths.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import { isMissingStaged, missingStaged } from './omissionList.ts';
import type { RepositoryState } from '../worktree/repositoryState.ts';
import { beginScan, scanWorkTree } from './scanWorkTree.ts';
import type { BegunScan, Doubts, WorkTreeScan } from './scanWorkTree.ts';
import { haveRulesChanged } from '../rules/ruleOptions.ts';
import type { ScanState } from './scanState.ts';
import { editTree } from '../objects/treeEdit.ts';
import type { TreeItem } from '../objects/treeFormat.ts';
import { MODE_FOLDER } from '../objects/treeFormat.ts';
import { statFingerprint } from './statFingerprint.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { indexFileOf } from './workTree.ts';
import { WorkTreeGit } from './workTreeGit.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import type { WorkTrees } from './workTrees.ts';

/** The scanned state of a workspace, in our store. Paths are relative to the workspace. */
export interface WorkspaceScan {
  readonly files: string;
  readonly prefix: string;
  readonly repositories: readonly RepositoryState[];
  readonly nested: readonly string[];
  readonly omissions: readonly Omission[];
  readonly recheck: readonly string[];
  readonly changed: number;
  readonly bytes: number;
  /** Our index got files that no scan has looked at, so all permissions must be looked at. */
  readonly hasUnseen: boolean;
  /** Paths to read again in the next scan; undefined if they are the same as before. */
  readonly unsure?: readonly string[];
  /** Only the reported paths were scanned. */
  readonly isPartial?: true;
}

type Last = NonNullable<ScanState['last']>;

/** Scans the whole workspace. */
export async function scanWorkspace(
  context: ScanContext,
  workTrees: WorkTrees,
  doubts: Doubts,
): Promise<WorkspaceScan> {
  const top = await workTrees.top();
  const repositories: RepositoryState[] = [];
  const nested: string[] = [];
  const omissions: Omission[] = [];
  const recheck: string[] = [];
  const unsure: string[] = [];
  let hasUnseen = false;
  let changed = 0;
  let bytes = 0;
  const scan = async (workTree: WorkTree): Promise<string> => {
    try {
      return await scanWhole(workTree);
    } catch (error) {
      // The listing has new files that the failed scan did not read: list again next time.
      delete workTree.memory.listing;
      throw error;
    }
  };
  const scanWhole = async (workTree: WorkTree): Promise<string> => {
    const begun = await beginScan(context, workTree);
    // A new index starts with the files of HEAD, which no scan has looked at.
    hasUnseen ||= begun.changes === undefined && !(await hasIndex(context, workTree));
    // Find the rules while the repository is read. If both fail, the repository's error is
    // reported.
    const rules = WorkTreeGit.for(context, workTree);
    // Untested: awaited below; this only keeps Node from reporting an unhandled error.
    rules.catch(() => undefined);
    if (workTree.watch) repositories.push(await workTree.watch.read(context.signal));
    await rules;
    const result = await scanOrStartOver(
      context,
      workTree,
      doubts,
      begun,
      () => (hasUnseen = true),
    );
    // Push one by one: there may be more than the maximum number of arguments.
    for (const omission of result.omissions) omissions.push(omission);
    for (const path of result.recheck) recheck.push(path);
    for (const path of result.unsure) unsure.push(path);
    changed += result.changed;
    bytes += result.bytes;
    const mounts = new Map<string, TreeItem | undefined>();
    for (const path of result.nested) {
      if (hasEscapedBytes(path)) {
        const detail = 'A repository in a folder whose name is not UTF-8.';
        omissions.push({ path, reason: 'special', detail });
        continue;
      }
      nested.push(path);
      const oid = await scan(await workTrees.nested(path));
      const isEmpty = (await context.store.readTree(oid)).size === 0;
      // `!`: a nested repository is below the work tree that contains it.
      mounts.set(
        relativeWithin(workTree.path, path)!,
        isEmpty ? undefined : { mode: MODE_FOLDER, oid },
      );
    }
    return mounts.size > 0 ? editTree(context.store, result.tree, mounts) : result.tree;
  };
  const files = await scan(top);
  workTrees.retain(nested);
  return {
    files,
    prefix: top.prefix,
    repositories,
    nested,
    omissions: [...omissions, ...missingStaged(repositories)],
    recheck,
    unsure,
    hasUnseen,
    changed,
    bytes,
  };
}

async function hasIndex(context: ScanContext, workTree: WorkTree): Promise<boolean> {
  return (await statFingerprint(context, indexFileOf(context, workTree))) !== '';
}

/**
 * Scans some paths and takes the rest from the last snapshot, whose list of omissions must not be
 * cut. Returns undefined if a full scan is
 * needed.
 */
export async function updateWorkspace(
  context: ScanContext,
  workTrees: WorkTrees,
  last: Last,
  changedPaths: readonly string[],
): Promise<WorkspaceScan | undefined> {
  const [isThere, top, nested] = await Promise.all([
    context.store.has(last.files),
    workTrees.top(),
    Promise.all(last.nested.map((path) => workTrees.nested(path))),
  ]);
  if (!isThere) return undefined;
  const all = [top, ...nested];
  const otherRules = Promise.all(all.map((workTree) => haveRulesChanged(context, workTree)));
  // Untested: awaited below; this only keeps Node from reporting an unhandled error.
  otherRules.catch(() => undefined);
  const repositories: RepositoryState[] = [];
  for (const { watch } of all) {
    if (watch) repositories.push(await watch.read(context.signal));
  }
  if ((await otherRules).includes(true)) return undefined;
  if (await hasForcedChanged(context, all)) return undefined;
  const paths = [...changedPaths, ...last.recheck];
  const update = await updatePaths(context, last.files, all, paths);
  if (!update) return undefined;
  const touched = new Set(update.touched);
  const before = last.omissions.filter(
    (omission) => !isInside(touched, omission.path) && !isMissingStaged(omission),
  );
  const named = new Set(before.map(({ path }) => path));
  // A folder that had only ignored files now has others, so its omissions must be listed again.
  // Untested: the caller scans the whole workspace instead.
  if (update.kept.some((path) => isInside(named, path))) return undefined;
  return {
    files: update.tree,
    prefix: top.prefix,
    repositories,
    nested: last.nested,
    omissions: [
      ...before,
      ...update.omissions.filter(({ path }) => !isInside(named, path)),
      ...missingStaged(repositories),
    ],
    recheck: update.recheck,
    hasUnseen: false,
    changed: update.changed,
    bytes: update.bytes,
    isPartial: true,
  };
}

/** Whether the user's index started or stopped tracking ignored files. */
async function hasForcedChanged(
  context: ScanContext,
  workTrees: readonly WorkTree[],
): Promise<boolean> {
  for (const workTree of workTrees) {
    const before = workTree.memory.forced?.paths;
    const after = await forcedPaths(context, workTree);
    if (before !== after && (before || after.size > 0)) return true;
  }
  return false;
}

/**
 * Scans a work tree. If git can't use our index or the store lacks a tree, starts a new index and
 * reads everything again.
 */
async function scanOrStartOver(
  context: ScanContext,
  workTree: WorkTree,
  doubts: Doubts,
  begun: BegunScan,
  onStartOver: () => void,
): Promise<WorkTreeScan> {
  try {
    return await scanWorkTree(context, workTree, doubts, begun);
  } catch (error) {
    const isMissing = error instanceof UserError && error.code === 'snapshot-missing';
    if (!(error instanceof GitFailure || isMissing) || isDiskFull(error)) throw error;
    onStartOver();
    const index = indexFileOf(context, workTree);
    await context.ports.files.removeTree(index);
    await context.ports.files.removeTree(`${index}.lock`);
    workTree.memory.separated.clear();
    delete workTree.memory.settled;
    delete workTree.memory.indexTree;
    delete workTree.memory.listing;
    const none = { recheck: [], unsure: [] };
    return scanWorkTree(context, workTree, none, await beginScan(context, workTree));
  }
}
