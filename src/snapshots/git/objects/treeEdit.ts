import { inParallel } from '../../common/inParallel.ts';
import type { DraftTree, ObjectStore } from './objectStore.ts';
import type { TreeItem } from './treeFormat.ts';
import { MODE_FOLDER } from './treeFormat.ts';

const WRITE_CONCURRENCY = 16;

/** The new item at each path; `undefined` removes it. */
export type Edits = ReadonlyMap<string, TreeItem | undefined>;

/**
 * Changes some paths of a tree. Reads and writes only the folders above these paths, so the cost
 * depends on the number of edits. Folders that become empty are removed, as in git, unless an edit
 * adds them: git tolerates empty trees.
 * @returns the new root
 */
export async function editTree(
  store: ObjectStore,
  root: string | undefined,
  edits: Edits,
): Promise<string> {
  const levels: DraftTree[][] = [];
  const edited = await editFolder(store, root, edits, levels, 0);
  // Write subfolders before their parents: if interrupted, no tree refers to a missing one.
  for (const level of levels.reverse()) {
    await inParallel(level, WRITE_CONCURRENCY, (draft) => store.keepTree(draft));
  }
  return edited ?? (await store.writeTree(new Map()));
}

async function editFolder(
  store: ObjectStore,
  folder: string | undefined,
  edits: Edits,
  levels: DraftTree[][],
  depth: number,
): Promise<string | undefined> {
  const items = new Map(folder === undefined ? [] : await store.readTree(folder));
  const below = new Map<string, Map<string, TreeItem | undefined>>();
  for (const [path, item] of edits) {
    const slash = path.indexOf('/');
    if (slash < 0) {
      if (item) items.set(path, item);
      else items.delete(path);
      continue;
    }
    const name = path.slice(0, slash);
    const group = below.get(name) ?? new Map<string, TreeItem | undefined>();
    below.set(name, group.set(path.slice(slash + 1), item));
  }
  for (const [name, group] of below) {
    const present = items.get(name);
    const isFolder = present?.mode === MODE_FOLDER;
    // A file becomes a folder only if an edit adds something below it.
    if (!isFolder && [...group.values()].every((item) => item === undefined)) continue;
    const oid = await editFolder(
      store,
      isFolder ? present.oid : undefined,
      group,
      levels,
      depth + 1,
    );
    const given = edits.get(name);
    if (oid !== undefined) items.set(name, { mode: MODE_FOLDER, oid });
    else if (given?.mode === MODE_FOLDER) items.set(name, given);
    else items.delete(name);
  }
  if (items.size === 0) return undefined;
  const draft = store.draftTree(items);
  (levels[depth] ??= []).push(draft);
  return draft.oid;
}

/** Returns the item at a path, if any; `''` is the root itself. */
export async function findInTree(
  store: ObjectStore,
  root: string,
  path: string,
): Promise<TreeItem | undefined> {
  let item: TreeItem = { mode: MODE_FOLDER, oid: root };
  if (path === '') return item;
  for (const name of path.split('/')) {
    if (item.mode !== MODE_FOLDER) return undefined;
    const next = (await store.readTree(item.oid)).get(name);
    if (!next) return undefined;
    item = next;
  }
  return item;
}
