import { errorCode } from '../../base/errors.ts';
import { permissionChange, type FileChange } from '../common/provider.ts';
import {
  listPaths,
  listTree,
  type ListedEntry,
  type Listing,
  type ListingPorts,
  type TouchedPath,
} from './listing.ts';
import { joinPath } from '../common/posixPath.ts';

/** Two states of a folder and, if known, the paths that may differ. */
export interface TreePair {
  readonly oldRoot: string;
  readonly newRoot: string;
  readonly touched: readonly TouchedPath[] | undefined;
}

/** The compared parts of two states. */
export interface TreeComparison {
  readonly before: Listing;
  readonly after: Listing;
  /**
   * Nothing differs except the times of folders. Stamps are compared, not content: a file rewritten
   * with the same content counts as changed.
   */
  readonly isSame: boolean;
  /** Only reported paths were compared, which was enough to find a difference. */
  readonly isGlance?: boolean;
}

export async function compareStates(
  ports: ListingPorts,
  pair: TreePair,
  signal: AbortSignal,
): Promise<TreeComparison> {
  const [before, after] = await listBoth(ports, pair, signal);
  return { before, after, isSame: areSame(before, after) };
}

function areSame(before: Listing, after: Listing): boolean {
  if (before.size !== after.size) return false;
  for (const [path, entry] of before) {
    const other = after.get(path);
    if (other === undefined || other.kind !== entry.kind || other.mode !== entry.mode) return false;
    if (entry.kind !== 'folder' && !isSameFile(entry, other)) return false;
  }
  return true;
}

/** Lists the files that differ in content, mode or kind, sorted by path; lists no folders. */
export async function changesBetween(
  ports: ListingPorts,
  pair: TreePair,
  signal: AbortSignal,
): Promise<FileChange[]> {
  const [before, after] = await listBoth(ports, pair, signal);
  const changes: FileChange[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const kind = await changeOf(ports, pair, path, before.get(path), after.get(path));
    signal.throwIfAborted();
    if (kind === undefined) continue;
    const permissions =
      kind === 'modified'
        ? permissionChange(modeOf(before.get(path)), modeOf(after.get(path)))
        : undefined;
    changes.push({ path, kind, ...(permissions && { permissions }) });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function modeOf(entry: ListedEntry | undefined): number | undefined {
  return entry?.kind === 'file' ? parseInt(entry.mode, 8) : undefined;
}

function listBoth(
  ports: ListingPorts,
  { oldRoot, newRoot, touched }: TreePair,
  signal: AbortSignal,
): Promise<[Listing, Listing]> {
  const list = (root: string): Promise<Listing> =>
    touched === undefined
      ? listTree(ports.exec, root, signal)
      : listPaths(ports, root, touched, signal);
  return Promise.all([list(oldRoot), list(newRoot)]);
}

async function changeOf(
  ports: ListingPorts,
  { oldRoot, newRoot }: TreePair,
  path: string,
  before: ListedEntry | undefined,
  after: ListedEntry | undefined,
): Promise<FileChange['kind'] | undefined> {
  const wasFile = before !== undefined && before.kind !== 'folder';
  const isFile = after !== undefined && after.kind !== 'folder';
  if (!wasFile) return isFile ? 'added' : undefined;
  if (!isFile) return 'deleted';
  if (before.kind !== after.kind) return 'type-changed';
  if (isSameFile(before, after)) return undefined;
  if (before.mode !== after.mode || before.size !== after.size) return 'modified';
  const paths = [joinPath(oldRoot, path), joinPath(newRoot, path)] as const;
  try {
    return (await hasSameContent(ports, before, ...paths)) ? undefined : 'modified';
  } catch (error) {
    // The file is gone or can't be read: it is only known that it was touched.
    if (errorCode(error) === undefined) throw error;
    return 'modified';
  }
}

function isSameFile(a: ListedEntry, b: ListedEntry): boolean {
  return a.stamp === b.stamp && a.size === b.size && a.mode === b.mode;
}

async function hasSameContent(
  { files }: ListingPorts,
  { kind }: ListedEntry,
  oldPath: string,
  newPath: string,
): Promise<boolean> {
  if (kind === 'symlink')
    return (await files.readLink(oldPath)) === (await files.readLink(newPath));
  return kind === 'file' && files.areEqual(oldPath, newPath);
}
