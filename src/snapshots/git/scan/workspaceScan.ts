import { UserError } from '../../../base/errors.ts';
import { isInside } from '../../common/pathBelow.ts';
import type { Omission } from '../../common/provider.ts';
import { hasEscapedBytes } from '../../common/pathBytes.ts';
import { relativeWithin } from '../../common/posixPath.ts';
import { updatePaths } from './changedPaths.ts';
import { GitFailure, isDiskFull } from '../gitCommand.ts';
import { isUnkeptStaged, notCounted, unkeptStaged } from './omissionList.ts';
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
import { indexFileOf, WorkTreeGit } from './workTree.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import type { WorkTrees } from './workTrees.ts';

/** The state of a workspace, in our store. Paths are relative to the workspace. */
export interface WorkspaceScan {
  readonly files: string;
  readonly prefix: string;
  readonly repositories: readonly RepositoryState[];
  readonly nested: readonly string[];
  readonly omissions: readonly Omission[];
  readonly recheck: readonly string[];
  readonly changed: number;
  readonly bytes: number;
  /** Something was taken up without a look at each file of it: all their permissions have to be looked at. */
  readonly hasUnseen: boolean;
  /** For the next scan to read again; as before when this was none. */
  readonly unsure?: readonly string[];
  /** The rest is believed to be as it was. */
  readonly isPartial?: true;
}

type Last = NonNullable<ScanState['last']>;

/** Looks at everything. */
export async function scanWorkspace(
  context: ScanContext,
  units: WorkTrees,
  doubts: Doubts,
): Promise<WorkspaceScan> {
  const top = await units.top();
  const repositories: RepositoryState[] = [];
  const nested: string[] = [];
  const omissions: Omission[] = [];
  const againLater: string[] = [];
  const unsure: string[] = [];
  let hasUnseen = false;
  let changed = 0;
  let bytes = 0;
  const scan = async (unit: WorkTree): Promise<string> => {
    try {
      return await scanWhole(unit);
    } catch (error) {
      // It has seen folders as they are now, and not what is new in them.
      delete unit.memory.sight;
      throw error;
    }
  };
  const scanWhole = async (unit: WorkTree): Promise<string> => {
    const begun = await beginScan(context, unit);
    // A first index has what HEAD has.
    hasUnseen ||= begun.changes === undefined && !(await hasIndex(context, unit));
    // Asked for meanwhile; when the repository cannot be read, that is what is told.
    const rules = WorkTreeGit.for(context, unit);
    // Untested: awaited below; this only keeps Node from reporting it.
    rules.catch(() => undefined);
    if (unit.watch) repositories.push(await unit.watch.read(context.signal));
    await rules;
    const result = await scanOrStartOver(context, unit, doubts, begun, () => (hasUnseen = true));
    // One by one: there may be more of them than a call can have arguments.
    for (const omission of result.omissions) omissions.push(omission);
    for (const path of result.recheck) againLater.push(path);
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
      const oid = await scan(await units.nested(path));
      const isEmpty = (await context.store.readTree(oid)).size === 0;
      mounts.set(
        relativeWithin(unit.path, path)!,
        isEmpty ? undefined : { mode: MODE_FOLDER, oid },
      );
    }
    return mounts.size > 0 ? editTree(context.store, result.tree, mounts) : result.tree;
  };
  const files = await scan(top);
  units.retain(nested);
  return {
    files,
    prefix: top.prefix,
    repositories,
    nested,
    omissions: [...omissions, ...unkeptStaged(repositories)],
    recheck: againLater,
    unsure,
    hasUnseen,
    changed,
    bytes,
  };
}

async function hasIndex(context: ScanContext, unit: WorkTree): Promise<boolean> {
  return (await statFingerprint(context, indexFileOf(context, unit))) !== '';
}

/** Looks at some paths and believes the last state about the rest. Undefined when that is not enough. */
export async function updateWorkspace(
  context: ScanContext,
  units: WorkTrees,
  last: Last,
  changedPaths: readonly string[],
): Promise<WorkspaceScan | undefined> {
  const [isThere, top, nested] = await Promise.all([
    context.store.has(last.files),
    units.top(),
    Promise.all(last.nested.map((path) => units.nested(path))),
  ]);
  if (!isThere) return undefined;
  const all = [top, ...nested];
  const otherRules = Promise.all(all.map((unit) => haveRulesChanged(context, unit)));
  // Untested: awaited below; this only keeps Node from reporting it.
  otherRules.catch(() => undefined);
  const repositories: RepositoryState[] = [];
  for (const { watch } of all) {
    if (watch) repositories.push(await watch.read(context.signal));
  }
  if ((await otherRules).includes(true)) return undefined;
  if (await haveForcedAnew(context, all)) return undefined;
  const paths = [...changedPaths, ...last.recheck];
  const update = await updatePaths(context, last.files, all, paths);
  if (!update) return undefined;
  const touched = new Set(update.touched);
  const before = last.omissions.filter(
    (omission) => !isInside(touched, omission.path) && !isUnkeptStaged(omission),
  );
  const named = new Set(before.map(({ path }) => path));
  // A folder that had nothing but ignored files has another now: what of it is left out has to be listed anew.
  // Untested: the caller scans the whole workspace instead.
  if (update.kept.some((path) => isInside(named, path))) return undefined;
  const found = notCounted(update.omissions, last.omissions, context.limits.maxOmissions);
  return {
    files: update.tree,
    prefix: top.prefix,
    repositories,
    nested: last.nested,
    omissions: [
      ...before,
      ...found.filter(({ path }) => !isInside(named, path)),
      ...unkeptStaged(repositories),
    ],
    recheck: update.recheck,
    hasUnseen: false,
    changed: update.changed,
    bytes: update.bytes,
    isPartial: true,
  };
}

/** Whether the user's index has begun, or ceased, to keep something in spite of a rule. */
async function haveForcedAnew(context: ScanContext, units: readonly WorkTree[]): Promise<boolean> {
  for (const unit of units) {
    const before = unit.memory.forced?.paths;
    const after = await forcedPaths(context, unit);
    if (before !== after && (before || after.size > 0)) return true;
  }
  return false;
}

/** An index of ours that git cannot use, or a tree that the store lost, is no loss: everything is read again. */
async function scanOrStartOver(
  context: ScanContext,
  unit: WorkTree,
  doubts: Doubts,
  begun: BegunScan,
  onStartOver: () => void,
): Promise<WorkTreeScan> {
  try {
    return await scanWorkTree(context, unit, doubts, begun);
  } catch (error) {
    const isMissing = error instanceof UserError && error.code === 'snapshot-missing';
    if (!(error instanceof GitFailure || isMissing) || isDiskFull(error)) throw error;
    onStartOver();
    const index = indexFileOf(context, unit);
    await context.ports.files.removeTree(index);
    await context.ports.files.removeTree(`${index}.lock`);
    unit.memory.separated.clear();
    delete unit.memory.settled;
    delete unit.memory.standing;
    delete unit.memory.sight;
    const none = { recheck: [], unsure: [] };
    return scanWorkTree(context, unit, none, await beginScan(context, unit));
  }
}
