import { ALL_PERMISSIONS } from '../../common/provider.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { editTree, findInTree } from '../objects/treeEdit.ts';
import { MODE_FILE, type TreeItem } from '../objects/treeFormat.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

/**
 * The permissions of a snapshot's files and folders, of which git itself stores only the executable
 * bit. Those that differ from a plain checkout are in a separate git tree, which snapshots with the
 * same permissions share. Names in it have a `_` prefix, and a folder's own permissions are in
 * `mode` beside its content: `_priv/_key.pem`, `_priv/mode`.
 */
export interface KeptModes {
  /** The umask of the user who took the snapshot; a plain checkout applies it. */
  readonly umask: number;
  /** Undefined if all permissions are the default. */
  readonly tree?: string | undefined;
}

export interface SeenMode {
  readonly kind: 'file' | 'folder';
  readonly mode: number;
}

const OWN = 'mode';
const OWNER_MAY_RUN = 0o100;
/** Owners keep full access to folders: without it, files in them can't be created or removed. */
const OWNER_MAY_ALL = 0o700;

/** Returns the permissions that a plain checkout gives. */
export function usualMode(kind: SeenMode['kind'], isExecutable: boolean, umask: number): number {
  return (kind === 'folder' || isExecutable ? 0o777 : 0o666) & ~umask;
}

/**
 * @param gone paths to remove with everything below them @param seen current permissions by path
 */
export async function editModes(
  store: ObjectStore,
  { umask, tree }: KeptModes,
  gone: Iterable<string>,
  seen: ReadonlyMap<string, SeenMode>,
): Promise<KeptModes> {
  const edits = new Map<string, TreeItem | undefined>();
  if (tree !== undefined) for (const path of gone) edits.set(modePlaceOf(path), undefined);
  for (const [path, found] of seen) {
    const isFolder = found.kind === 'folder';
    const mode = (found.mode & ALL_PERMISSIONS) | (isFolder ? OWNER_MAY_ALL : 0);
    const isUsual = mode === usualMode(found.kind, (mode & OWNER_MAY_RUN) !== 0, umask);
    // Skip default permissions, which most files have.
    if (isUsual && tree === undefined) continue;
    const place = isFolder ? `${modePlaceOf(path)}/${OWN}` : modePlaceOf(path);
    edits.set(place, isUsual ? undefined : await itemOf(store, mode));
  }
  if (edits.size === 0) return { umask, tree };
  const edited = await editTree(store, tree, edits);
  const isEmpty = (await store.readTree(edited)).size === 0;
  return { umask, tree: isEmpty ? undefined : edited };
}

/** Returns the permissions of a path in a snapshot. */
export async function modeAt(
  store: ObjectStore,
  { umask, tree }: KeptModes,
  path: string,
  { kind, isExecutable }: { readonly kind: SeenMode['kind']; readonly isExecutable: boolean },
): Promise<number> {
  const place = kind === 'folder' ? `${modePlaceOf(path)}/${OWN}` : modePlaceOf(path);
  const item = tree === undefined ? undefined : await findInTree(store, tree, place);
  const kept = item?.mode === MODE_FILE ? await modeIn(store, item.oid) : undefined;
  return kept ?? usualMode(kind, isExecutable, umask);
}

/** Lists all non-default permissions by path. */
export async function listModes(store: ObjectStore, tree: string): Promise<Map<string, SeenMode>> {
  const modes = new Map<string, SeenMode>();
  const known = new Map<string, number | undefined>();
  for (const line of pathsOf((await store.git(['ls-tree', '-r', '-z', tree])).stdout)) {
    // git prints `100644 blob <object>\t<path>`.
    const tab = line.indexOf('\t');
    const oid = line.slice(line.lastIndexOf(' ', tab) + 1, tab);
    if (!known.has(oid)) known.set(oid, await modeIn(store, oid));
    const mode = known.get(oid);
    const { kind, path } = namedBy(line.slice(tab + 1));
    if (mode !== undefined) modes.set(path, { kind, mode });
  }
  return modes;
}

/** Returns the file whose permissions an entry stores; undefined if they are a folder's. */
export function fileAt(place: string): string | undefined {
  const { kind, path } = namedBy(place);
  return kind === 'file' ? path : undefined;
}

/** Returns where the tree has a file's permissions, or those of a folder and its content. */
export function modePlaceOf(path: string): string {
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

/** Returns undefined for an invalid mode, for example after a scrub removed the number. */
async function modeIn(store: ObjectStore, oid: string): Promise<number | undefined> {
  const text = new TextDecoder().decode(await store.read(oid, 'blob'));
  return /^[0-7]{1,4}$/.test(text) ? parseInt(text, 8) : undefined;
}
