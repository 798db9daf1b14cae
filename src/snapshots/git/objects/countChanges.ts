import type { ObjectStore } from './objectStore.ts';
import { MODE_FOLDER } from './treeFormat.ts';
import type { TreeItem } from './treeFormat.ts';

/** The count is only informative, so reading more folders is not worth it. */
const MAX_FOLDERS = 500;

/** Counts the files that differ between two trees; undefined if that takes too long. */
export async function countChanges(
  store: ObjectStore,
  from: string,
  to: string,
): Promise<number | undefined> {
  let folders = 0;
  const compare = async (
    before: string | undefined,
    after: string | undefined,
  ): Promise<number> => {
    folders += 1;
    if (before === after || folders > MAX_FOLDERS) return 0;
    const old = before === undefined ? NOTHING : await store.readTree(before);
    const now = after === undefined ? NOTHING : await store.readTree(after);
    let count = 0;
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [a, b] = [old.get(name), now.get(name)];
      if (a?.oid === b?.oid && a?.mode === b?.mode) continue;
      if (isFile(a) || isFile(b)) count += 1;
      if (isFolder(a) || isFolder(b)) count += await compare(folderOf(a), folderOf(b));
    }
    return count;
  };
  const count = await compare(from, to);
  return folders > MAX_FOLDERS ? undefined : count;
}

const NOTHING: ReadonlyMap<string, TreeItem> = new Map();

function isFolder(item: TreeItem | undefined): boolean {
  return item?.mode === MODE_FOLDER;
}

function isFile(item: TreeItem | undefined): boolean {
  return item !== undefined && item.mode !== MODE_FOLDER;
}

function folderOf(item: TreeItem | undefined): string | undefined {
  return item?.mode === MODE_FOLDER ? item.oid : undefined;
}
