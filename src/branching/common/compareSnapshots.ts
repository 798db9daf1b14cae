import { areEqualBytes } from '../../base/bytes.ts';
import { permissionChange } from '../../snapshots/common/provider.ts';
import type { FileChange, SnapshotTree, TreeEntry } from '../../snapshots/common/provider.ts';

/**
 * The changes between two snapshots, which may have different providers, sorted by path. Skips
 * folders that have the same identity in both snapshots.
 */
export async function compareSnapshots(
  before: SnapshotTree,
  after: SnapshotTree,
  signal: AbortSignal,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  await compareFolder({ before, after, signal, changes }, '');
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Comparison {
  readonly before: SnapshotTree;
  readonly after: SnapshotTree;
  readonly signal: AbortSignal;
  readonly changes: FileChange[];
}

async function compareFolder(comparison: Comparison, folder: string): Promise<void> {
  const { before, after, signal, changes } = comparison;
  signal.throwIfAborted();
  const old = byName(await before.list(folder));
  const now = byName(await after.list(folder));
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const was = old.get(name);
    const is = now.get(name);
    if (was === 'folder' && is === 'folder') {
      if (!(await haveSameIdentity(comparison, path))) await compareFolder(comparison, path);
      continue;
    }
    if (was === 'folder') await addAll(before, path, 'deleted', comparison);
    if (is === 'folder') await addAll(after, path, 'added', comparison);
    if (was !== undefined && was !== 'folder') {
      if (is === undefined || is === 'folder') changes.push({ path, kind: 'deleted' });
      else if (was !== is) changes.push({ path, kind: 'type-changed' });
      else changes.push(...(await modification(comparison, path)));
    } else if (is !== undefined && is !== 'folder') {
      changes.push({ path, kind: 'added' });
    }
  }
}

/** Adds a change for every file in a folder. */
async function addAll(
  tree: SnapshotTree,
  folder: string,
  kind: 'added' | 'deleted',
  comparison: Comparison,
): Promise<void> {
  comparison.signal.throwIfAborted();
  for (const entry of await tree.list(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.kind === 'folder') await addAll(tree, path, kind, comparison);
    else comparison.changes.push({ path, kind });
  }
}

async function haveSameIdentity({ before, after }: Comparison, path: string): Promise<boolean> {
  const identity = await before.identity?.(path);
  return identity !== undefined && identity === (await after.identity?.(path));
}

/** The change of a file that is in both snapshots; empty when the file is the same. */
async function modification(comparison: Comparison, path: string): Promise<FileChange[]> {
  if (await haveSameIdentity(comparison, path)) return [];
  const { before, after } = comparison;
  const [old, now] = [await before.stat(path), await after.stat(path)];
  const permissions = permissionChange(old.mode, now.mode);
  if (permissions) return [{ path, kind: 'modified', permissions }];
  const mayBeSame = old.isExecutable === now.isExecutable && old.size === now.size;
  const isSame = mayBeSame && areEqualBytes(await before.read(path), await after.read(path));
  return isSame ? [] : [{ path, kind: 'modified' }];
}

function byName(entries: readonly TreeEntry[]): Map<string, TreeEntry['kind']> {
  return new Map(entries.map(({ name, kind }) => [name, kind]));
}
