import { ALL_PERMISSIONS } from '../../common/provider.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { editTree, findInTree } from '../objects/treeEdit.ts';
import { MODE_FILE, type TreeItem } from '../objects/treeFormat.ts';
import { pathsOf } from '../zeroSeparated.ts';

/**
 * Permissions, of which git knows one bit: those that a plain checkout does not give are in a tree of their own beside that of
 * the files, so that what does not change costs nothing. A name has a `_` before it there, and a folder its own permissions
 * beside what is in it: `_priv/_key.pem`, `_priv/mode`.
 */
export interface KeptModes {
  /** What a plain checkout does not give was taken away by this. */
  readonly umask: number;
  /** None when there is nothing unusual. */
  readonly tree?: string | undefined;
}

export interface SeenMode {
  readonly kind: 'file' | 'folder';
  readonly mode: number;
}

const OWN = 'mode';
const OWNER_MAY_RUN = 0o100;
/** A folder that its owner may not change could neither be filled nor be removed. */
const OWNER_MAY_ALL = 0o700;

/** What a plain checkout makes. */
export function usualMode(kind: SeenMode['kind'], isExecutable: boolean, umask: number): number {
  return (kind === 'folder' || isExecutable ? 0o777 : 0o666) & ~umask;
}

/**
 * @param gone paths with all that was below them
 * @param seen what is at a path now
 */
export async function editModes(
  store: ObjectStore,
  { umask, tree }: KeptModes,
  gone: Iterable<string>,
  seen: ReadonlyMap<string, SeenMode>,
): Promise<KeptModes> {
  const edits = new Map<string, TreeItem | undefined>();
  if (tree !== undefined) for (const path of gone) edits.set(placeOf(path), undefined);
  for (const [path, found] of seen) {
    const isFolder = found.kind === 'folder';
    const mode = (found.mode & ALL_PERMISSIONS) | (isFolder ? OWNER_MAY_ALL : 0);
    const isUsual = mode === usualMode(found.kind, (mode & OWNER_MAY_RUN) !== 0, umask);
    // Mostly there is nothing to say.
    if (isUsual && tree === undefined) continue;
    const place = isFolder ? `${placeOf(path)}/${OWN}` : placeOf(path);
    edits.set(place, isUsual ? undefined : await itemOf(store, mode));
  }
  if (edits.size === 0) return { umask, tree };
  const edited = await editTree(store, tree, edits);
  const isEmpty = (await store.readTree(edited)).size === 0;
  return { umask, tree: isEmpty ? undefined : edited };
}

/** The permissions of something that is in a snapshot. */
export async function modeAt(
  store: ObjectStore,
  { umask, tree }: KeptModes,
  path: string,
  { kind, isExecutable }: { readonly kind: SeenMode['kind']; readonly isExecutable: boolean },
): Promise<number> {
  const place = kind === 'folder' ? `${placeOf(path)}/${OWN}` : placeOf(path);
  const item = tree === undefined ? undefined : await findInTree(store, tree, place);
  const kept = item?.mode === MODE_FILE ? await modeIn(store, item.oid) : undefined;
  return kept ?? usualMode(kind, isExecutable, umask);
}

/** All unusual ones, by path. */
export async function listModes(store: ObjectStore, tree: string): Promise<Map<string, SeenMode>> {
  const modes = new Map<string, SeenMode>();
  const known = new Map<string, number | undefined>();
  for (const line of pathsOf((await store.git(['ls-tree', '-r', '-z', tree])).stdout)) {
    // `100644 blob <object>\t<path>`
    const tab = line.indexOf('\t');
    const oid = line.slice(line.lastIndexOf(' ', tab) + 1, tab);
    if (!known.has(oid)) known.set(oid, await modeIn(store, oid));
    const mode = known.get(oid);
    const { kind, path } = namedBy(line.slice(tab + 1));
    if (mode !== undefined) modes.set(path, { kind, mode });
  }
  return modes;
}

/** The file whose permissions are at a place; undefined when they are a folder's. */
export function fileAt(place: string): string | undefined {
  const { kind, path } = namedBy(place);
  return kind === 'file' ? path : undefined;
}

/** Where the permissions of something are, or of all that is in a folder. */
export function placeOf(path: string): string {
  return `_${path.replaceAll('/', '/_')}`;
}

function namedBy(place: string): { readonly kind: SeenMode['kind']; readonly path: string } {
  const names = place.split('/');
  const kind = names.at(-1) === OWN ? 'folder' : 'file';
  if (kind === 'folder') names.pop();
  return { kind, path: names.map((name) => name.slice(1)).join('/') };
}

async function itemOf(store: ObjectStore, mode: number): Promise<TreeItem> {
  const bytes = new TextEncoder().encode(mode.toString(8));
  return { mode: MODE_FILE, oid: await store.write('blob', bytes) };
}

/** Undefined for what is no mode, as after a scrub of such a number. */
async function modeIn(store: ObjectStore, oid: string): Promise<number | undefined> {
  const text = new TextDecoder().decode(await store.read(oid, 'blob'));
  return /^[0-7]{1,4}$/.test(text) ? parseInt(text, 8) : undefined;
}
