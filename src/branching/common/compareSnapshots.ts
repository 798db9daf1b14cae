import { permissionChange } from '../../snapshots/common/provider.ts';
import type { FileChange, SnapshotTree, TreeEntry } from '../../snapshots/common/provider.ts';

/**
 * What differs between two states, wherever they are kept. Where both can name what they hold, whole folders that are the
 * same are not entered. Sorted by path.
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
    if (was === 'folder') await all(before, path, 'deleted', comparison);
    if (is === 'folder') await all(after, path, 'added', comparison);
    if (was !== undefined && was !== 'folder') {
      if (is === undefined || is === 'folder') changes.push({ path, kind: 'deleted' });
      else if (was !== is) changes.push({ path, kind: 'type-changed' });
      else changes.push(...(await modification(comparison, path)));
    } else if (is !== undefined && is !== 'folder') {
      changes.push({ path, kind: 'added' });
    }
  }
}

async function all(
  tree: SnapshotTree,
  folder: string,
  kind: 'added' | 'deleted',
  comparison: Comparison,
): Promise<void> {
  comparison.signal.throwIfAborted();
  for (const entry of await tree.list(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.kind === 'folder') await all(tree, path, kind, comparison);
    else comparison.changes.push({ path, kind });
  }
}

async function haveSameIdentity({ before, after }: Comparison, path: string): Promise<boolean> {
  const identity = await before.identity?.(path);
  return identity !== undefined && identity === (await after.identity?.(path));
}

/** Of a file that both have; none when it is the same. */
async function modification(comparison: Comparison, path: string): Promise<FileChange[]> {
  if (await haveSameIdentity(comparison, path)) return [];
  const { before, after } = comparison;
  const [old, now] = [await before.stat(path), await after.stat(path)];
  const permissions = permissionChange(old.mode, now.mode);
  if (permissions) return [{ path, kind: 'modified', permissions }];
  const mayBeSame = old.isExecutable === now.isExecutable && old.size === now.size;
  const isSame = mayBeSame && hasSameBytes(await before.read(path), await after.read(path));
  return isSame ? [] : [{ path, kind: 'modified' }];
}

function hasSameBytes(was: Uint8Array, is: Uint8Array): boolean {
  return was.length === is.length && was.every((byte, index) => byte === is[index]);
}

function byName(entries: readonly TreeEntry[]): Map<string, TreeEntry['kind']> {
  return new Map(entries.map(({ name, kind }) => [name, kind]));
}
