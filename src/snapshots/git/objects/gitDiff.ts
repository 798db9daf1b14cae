import { pathFromBytes } from '../../common/pathBytes.ts';
import type { FileChange } from '../../common/provider.ts';
import type { ObjectStore } from './objectStore.ts';
import { splitZero } from '../../common/zeroSeparated.ts';

const KINDS: Readonly<Record<string, FileChange['kind']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'type-changed',
};

export interface TreeChange extends FileChange {
  /** Whether the executable bit changed. */
  readonly isRunChange: boolean;
}

/** Lists the differences between two trees by path. */
export async function diffTrees(
  store: ObjectStore,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<TreeChange[]> {
  if (from === to) return [];
  // git prints `:100644 100755 <object> <object> M`, followed by the path.
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to];
  const parts = splitZero((await store.git(args, { signal })).stdout);
  const changes: TreeChange[] = [];
  for (const bytes of parts) {
    const path = parts.next().value as Uint8Array | undefined;
    // Untested: git prints a path for every change; this only narrows the type.
    if (!path) break;
    const [before, after, , , letter = ''] = pathFromBytes(bytes).slice(1).split(' ');
    const kind = KINDS[letter];
    if (kind) changes.push({ path: pathFromBytes(path), kind, isRunChange: before !== after });
  }
  return changes;
}
