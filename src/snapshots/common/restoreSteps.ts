import { isInside } from './pathBelow.ts';
import { permissionChange } from './provider.ts';
import type { FileChange, Omission, PermissionChange } from './provider.ts';
import type { SnapshotTree, TreeEntry } from './provider.ts';

/** One change that putting a snapshot back makes to the workspace. */
export interface RestoreStep {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: 'create' | 'change' | 'delete';
  /** An empty folder that comes or goes, or one whose permissions change. Those that lead to a file come and go with it. */
  readonly isFolder?: boolean;
  /** Where they change, perhaps they alone. */
  readonly permissions?: PermissionChange;
}

/** The state as it is, kept, and the one to go to. */
export interface RestoreStates {
  readonly present: SnapshotTree;
  readonly target: SnapshotTree;
  /** What the moment itself says was not kept: moments share a state when only what it does not have differs. */
  readonly leftOut?: readonly Omission[];
}

/**
 * What has to be done. A file that the wanted state may have had without keeping it, because a rule ignored it then, is not
 * deleted. A repository that is there stays as it is, with its HEAD, index and branches; one that is gone comes back.
 * @param changes what leads from the present state to the wanted one
 */
export async function restoreSteps(
  changes: readonly FileChange[],
  states: RestoreStates,
  signal: AbortSignal,
): Promise<RestoreStep[]> {
  const { present, target, leftOut = [] } = states;
  const wanted = { target, unkept: new Set(leftOut.map(({ path }) => path)) };
  const kinds = { added: 'create', modified: 'change', deleted: 'delete' } as const;
  const steps: RestoreStep[] = [];
  for (const { path, kind, permissions } of changes) {
    signal.throwIfAborted();
    if (kind === 'deleted' && (await mayLack(wanted, path))) continue;
    const repository = repositoryOf(path);
    if (repository !== undefined && (await isThere(present, repository))) continue;
    const step = { path, kind: kind === 'type-changed' ? 'change' : kinds[kind] } as const;
    steps.push({ ...step, ...(permissions && { permissions }) });
  }
  await compareFolders({ present, ...wanted, signal, steps }, '');
  return steps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const GIT = '.git';

/** The `.git` that a path belongs to. */
function repositoryOf(path: string): string | undefined {
  const names = path.split('/');
  const at = names.indexOf(GIT);
  return at < 0 ? undefined : names.slice(0, at + 1).join('/');
}

interface WantedState {
  readonly target: SnapshotTree;
  readonly unkept: ReadonlySet<string>;
}

/** Whether something may have been there then that was not kept. */
async function mayLack({ target, unkept }: WantedState, path: string): Promise<boolean> {
  // Where there were too many to name, the rest is counted without a path.
  return unkept.has('') || isInside(unkept, path) || (await target.mayLack(path));
}

interface Comparison extends WantedState {
  readonly present: SnapshotTree;
  readonly signal: AbortSignal;
  readonly steps: RestoreStep[];
}

/** Folders without a file, or with other permissions, which no change of a file tells of. */
async function compareFolders(comparison: Comparison, folder: string): Promise<void> {
  const { present, target, signal } = comparison;
  signal.throwIfAborted();
  const now = folderNames(await present.list(folder));
  const wanted = folderNames(await target.list(folder));
  for (const name of now) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!wanted.has(name)) await unwantedFolder(comparison, path);
    // A repository that is there stays as it is.
    else if (name !== GIT && !(await areTheSame(comparison, path))) {
      const permissions = await otherModes(comparison, path);
      if (permissions) comparison.steps.push({ path, kind: 'change', isFolder: true, permissions });
      await compareFolders(comparison, path);
    }
  }
  for (const name of wanted) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!now.has(name)) await eachEmpty(target, path, comparison, 'create');
  }
}

async function unwantedFolder(comparison: Comparison, path: string): Promise<void> {
  if (repositoryOf(path) !== undefined || (await mayLack(comparison, path))) return;
  await eachEmpty(comparison.present, path, comparison, 'delete');
}

/** The folders above an empty one come and go with it. */
async function eachEmpty(
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
      await eachEmpty(tree, `${path}/${entry.name}`, comparison, kind);
  }
}

/** Where both states can say so without looking into every folder. */
async function areTheSame({ present, target }: RestoreStates, path: string): Promise<boolean> {
  const identity = await present.identity?.(path);
  return identity !== undefined && identity === (await target.identity?.(path));
}

async function otherModes(
  { present, target }: RestoreStates,
  path: string,
): Promise<PermissionChange | undefined> {
  return permissionChange((await present.stat(path)).mode, (await target.stat(path)).mode);
}

function folderNames(entries: readonly TreeEntry[]): Set<string> {
  return new Set(entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name));
}

function isThere(tree: SnapshotTree, path: string): Promise<boolean> {
  return tree.stat(path).then(
    () => true,
    () => false,
  );
}
