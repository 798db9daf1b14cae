import { inParallel } from '../common/inParallel.ts';
import type { Exec, FileKind, Files } from '../common/ports.ts';
import { STAT_CONCURRENCY, statBelow } from '../common/folders.ts';
import { joinPath, relativeWithin } from '../common/posixPath.ts';
import { ToolFailure } from './tool.ts';
import { pathsOf } from '../common/zeroSeparated.ts';

export interface ListedEntry {
  readonly kind: FileKind;
  readonly size: string;
  readonly mode: string;
  /** Inode, modification and change time: files with the same stamp are the same. */
  readonly stamp: string;
}

/** Entries by path relative to the root, with `/`. The root itself is not listed. */
export type Listing = Map<string, ListedEntry>;

/**
 * A path that may differ between two trees. `isWholeTree`: everything below may differ too, because
 * the file system does not name what is below.
 */
export interface TouchedPath {
  readonly path: string;
  readonly isWholeTree: boolean;
  /** The written ranges of the file, if they are known for all files. */
  readonly written?: readonly WrittenRange[];
}

export interface WrittenRange {
  readonly offset: number;
  readonly length: number;
}

export interface ListingPorts {
  readonly exec: Exec;
  readonly files: Files;
}

// Names may contain anything but a zero byte and a slash.
const FORMAT = '%y %s %m %i %T@ %C@\\0%P\\0';
const KINDS: Readonly<Record<string, FileKind>> = { f: 'file', d: 'folder', l: 'symlink' };

/**
 * Lists a whole tree with `find`, ten times as fast as looking at each file from Node. Does not
 * enter other file systems or subvolumes.
 */
export async function listTree(exec: Exec, root: string, signal: AbortSignal): Promise<Listing> {
  const args = [root, '-xdev', '-printf', FORMAT];
  const { stdout, stderr } = await exec('find', args, { cwd: '/', env: { LC_ALL: 'C' }, signal });
  const fields = pathsOf(stdout);
  // `find` also complains about unreadable and vanished folders. It has failed only if it does not
  // list the root.
  if (fields[1] !== '') throw new ToolFailure(stderr.trim() || `cannot list ${root}`);
  const listing: Listing = new Map();
  // The `!`s: the loop checks the higher index.
  for (let index = 2; index + 1 < fields.length; index += 2) {
    listing.set(fields[index + 1]!, parseEntry(fields[index]!));
  }
  return listing;
}

function parseEntry(text: string): ListedEntry {
  const [letter = '', size = '', mode = '', inode, modified = '', changed = ''] = text.split(' ');
  return {
    kind: KINDS[letter] ?? 'other',
    size,
    mode,
    stamp: `${inode} ${nanoseconds(modified)} ${nanoseconds(changed)}`,
  };
}

/** `find` prints ten digits after the point; the last is always 0. */
function nanoseconds(time: string): string {
  const [seconds = '', fraction = ''] = time.split('.');
  return `${BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))}`;
}

/** Lists only these paths of a tree, if they exist. */
export async function listPaths(
  { exec, files }: ListingPorts,
  root: string,
  paths: readonly TouchedPath[],
  signal: AbortSignal,
): Promise<Listing> {
  const listing: Listing = new Map();
  await inParallel(paths, STAT_CONCURRENCY, async ({ path, isWholeTree }) => {
    signal.throwIfAborted();
    const stat = await statBelow(files, root, path);
    if (stat === undefined) return;
    listing.set(path, {
      kind: stat.kind,
      size: String(stat.size),
      mode: stat.mode.toString(8),
      stamp: `${stat.inode} ${stat.mtimeNs} ${stat.ctimeNs}`,
    });
    if (!isWholeTree || stat.kind !== 'folder') return;
    for (const [below, entry] of await listTree(exec, joinPath(root, path), signal)) {
      listing.set(`${path}/${below}`, entry);
    }
  });
  return listing;
}

/** Selects the touched paths in a folder; undefined if everything in the folder may differ. */
export function touchedWithin(
  folder: string,
  touched: readonly TouchedPath[],
): TouchedPath[] | undefined {
  const inside: TouchedPath[] = [];
  for (const { path, isWholeTree, written } of touched) {
    if (isWholeTree && (path === folder || relativeWithin(path, folder) !== undefined))
      return undefined;
    const below = relativeWithin(folder, path);
    if (below !== undefined && below !== '')
      inside.push({ path: below, isWholeTree, ...(written && { written }) });
  }
  return inside;
}
