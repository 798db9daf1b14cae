import { isInside } from '../pathBelow.ts';
import { permissionChange } from '../provider.ts';
import type { FileChange, Omission, PermissionChange } from '../provider.ts';
import type { SnapshotTree, TreeEntry } from '../provider.ts';

/** One change that a restore makes to the workspace. */
export interface RestoreStep {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: 'create' | 'change' | 'delete';
  /**
   * The step creates or deletes an empty folder, or changes a folder's permissions. A folder with
   * files needs no step to be created or deleted.
   */
  readonly isFolder?: boolean;
  /** Set if the permissions change, even if nothing else does. */
  readonly permissions?: PermissionChange;
}

/** The present snapshot and the one to restore. */
export interface RestoreStates {
  readonly present: SnapshotTree;
  readonly target: SnapshotTree;
  /**
   * The omissions of the restored moment. They may differ from those of the snapshot, because
   * moments with different omissions can share a snapshot.
   */
  readonly omissions?: readonly Omission[];
}

/**
 * Plans a restore. Does not delete a file that may have existed at the target's moment without
 * being stored, for example because it was ignored. Leaves an existing git repository as it is,
 * with its HEAD, index and branches, and restores a missing one.
 * @param changes the changes from the present snapshot to the target
 */
export async function restoreSteps(
  changes: readonly FileChange[],
  states: RestoreStates,
  signal: AbortSignal,
): Promise<RestoreStep[]> {
  const { present, target, omissions = [] } = states;
  const wanted = { target, omitted: new Set(omissions.map(({ path }) => path)) };
  const kinds = { added: 'create', modified: 'change', deleted: 'delete' } as const;
  const steps: RestoreStep[] = [];
  for (const { path, kind, permissions } of changes) {
    signal.throwIfAborted();
    if (kind === 'deleted' && (await mayLack(wanted, path))) continue;
    const repository = repositoryOf(path);
    if (repository !== undefined && (await exists(present, repository))) continue;
    const step = { path, kind: kind === 'type-changed' ? 'change' : kinds[kind] } as const;
    steps.push({ ...step, ...(permissions && { permissions }) });
  }
  await compareFolders({ present, ...wanted, signal, steps }, '');
  return steps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const GIT = '.git';

/** Returns the `.git` folder that a path belongs to. */
function repositoryOf(path: string): string | undefined {
  const names = path.split('/');
  const at = names.indexOf(GIT);
  return at < 0 ? undefined : names.slice(0, at + 1).join('/');
}

interface WantedState {
  readonly target: SnapshotTree;
  readonly omitted: ReadonlySet<string>;
}

/** Whether the path may have existed at the target's moment without being stored. */
async function mayLack({ target, omitted }: WantedState, path: string): Promise<boolean> {
  // If there were too many omissions to list, the rest are counted under an empty path.
  return omitted.has('') || isInside(omitted, path) || (await target.mayLack(path));
}

interface Comparison extends WantedState {
  readonly present: SnapshotTree;
  readonly signal: AbortSignal;
  readonly steps: RestoreStep[];
}

/** Plans steps for empty folders and for folder permissions, which file changes don't cover. */
async function compareFolders(comparison: Comparison, folder: string): Promise<void> {
  const { present, target, signal } = comparison;
  signal.throwIfAborted();
  const now = folderNames(await present.list(folder));
  const wanted = folderNames(await target.list(folder));
  for (const name of now) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!wanted.has(name)) await planRemovedFolder(comparison, path);
    // An existing repository is left as is.
    else if (name !== GIT && !(await haveSameIdentity(comparison, path))) {
      const permissions = await changedModes(comparison, path);
      if (permissions) comparison.steps.push({ path, kind: 'change', isFolder: true, permissions });
      await compareFolders(comparison, path);
    }
  }
  for (const name of wanted) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!now.has(name)) await planEmptyFolders(target, path, comparison, 'create');
  }
}

async function planRemovedFolder(comparison: Comparison, path: string): Promise<void> {
  if (repositoryOf(path) !== undefined || (await mayLack(comparison, path))) return;
  await planEmptyFolders(comparison.present, path, comparison, 'delete');
}

/** Plans a step for each empty folder; its parents are created and deleted with it. */
async function planEmptyFolders(
  tree: SnapshotTree,
  path: string,
  comparison: Comparison,
  kind: 'create' | 'delete',
): Promise<void> {
  comparison.signal.throwIfAborted();
  const entries = await tree.list(path);
  if (entries.length === 0) comparison.steps.push({ path, kind, isFolder: true });
  for (const entry of entries) {
    if (entry.kind === 'folder' && !(kind === 'delete' && entry.name === GIT))
      await planEmptyFolders(tree, `${path}/${entry.name}`, comparison, kind);
  }
}

/** Whether a folder is known to be the same in both snapshots without reading its content. */
async function haveSameIdentity(
  { present, target }: RestoreStates,
  path: string,
): Promise<boolean> {
  const identity = await present.identity?.(path);
  return identity !== undefined && identity === (await target.identity?.(path));
}

async function changedModes(
  { present, target }: RestoreStates,
  path: string,
): Promise<PermissionChange | undefined> {
  return permissionChange((await present.stat(path)).mode, (await target.stat(path)).mode);
}

function folderNames(entries: readonly TreeEntry[]): Set<string> {
  return new Set(entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name));
}

function exists(tree: SnapshotTree, path: string): Promise<boolean> {
  return tree.stat(path).then(
    () => true,
    () => false,
  );
}
