import type { FileChange, SnapshotTree, TreeEntry } from './provider.ts';

/** One change that putting a snapshot back makes to the workspace. */
export interface RestoreStep {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: 'create' | 'change' | 'delete';
  /** An empty folder. Those that lead to a file come and go with it. */
  readonly isFolder?: boolean;
}

/** The state as it is, kept, and the one to go to. */
export interface RestoreStates {
  readonly present: SnapshotTree;
  readonly target: SnapshotTree;
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
  const { present, target } = states;
  const kinds = { added: 'create', modified: 'change', deleted: 'delete' } as const;
  const steps: RestoreStep[] = [];
  for (const { path, kind } of changes) {
    signal.throwIfAborted();
    if (kind === 'deleted' && (await target.mayLack(path))) continue;
    const repository = repositoryOf(path);
    if (repository !== undefined && (await isThere(present, repository))) continue;
    steps.push({ path, kind: kind === 'type-changed' ? 'change' : kinds[kind] });
  }
  await compareFolders({ ...states, signal, steps }, '');
  return steps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const GIT = '.git';

/** The `.git` that a path belongs to. */
function repositoryOf(path: string): string | undefined {
  const names = path.split('/');
  const at = names.indexOf(GIT);
  return at < 0 ? undefined : names.slice(0, at + 1).join('/');
}

interface Comparison extends RestoreStates {
  readonly signal: AbortSignal;
  readonly steps: RestoreStep[];
}

/** Folders without a file, which no change of a file tells of. */
async function compareFolders(comparison: Comparison, folder: string): Promise<void> {
  const { present, target, signal } = comparison;
  signal.throwIfAborted();
  const now = folderNames(await present.list(folder));
  const wanted = folderNames(await target.list(folder));
  for (const name of now) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!wanted.has(name)) await unwantedFolder(comparison, path);
    // A repository that is there stays as it is.
    else if (name !== GIT && !(await areTheSame(comparison, path)))
      await compareFolders(comparison, path);
  }
  for (const name of wanted) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!now.has(name)) await eachEmpty(target, path, comparison, 'create');
  }
}

async function unwantedFolder(comparison: Comparison, path: string): Promise<void> {
  if (repositoryOf(path) !== undefined || (await comparison.target.mayLack(path))) return;
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

function folderNames(entries: readonly TreeEntry[]): Set<string> {
  return new Set(entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name));
}

function isThere(tree: SnapshotTree, path: string): Promise<boolean> {
  return tree.stat(path).then(
    () => true,
    () => false,
  );
}
