import { pathFromBytes } from '../../pathBytes.ts';
import type { FileChange } from '../../provider.ts';
import type { ObjectStore } from './objectStore.ts';
import { splitZero } from './zeroSeparated.ts';

const KINDS: Readonly<Record<string, FileChange['kind']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'type-changed',
};

/** What is different between two trees, by path. */
export async function diffTrees(
  store: ObjectStore,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<FileChange[]> {
  if (from === to) return [];
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to];
  const parts = splitZero((await store.git(args, { signal })).stdout);
  const changes: FileChange[] = [];
  for (const letter of parts) {
    const path = parts.next().value as Uint8Array | undefined;
    if (!path) break;
    const kind = KINDS[String.fromCharCode(letter[0]!)];
    if (kind) changes.push({ path: pathFromBytes(path), kind });
  }
  return changes;
}
