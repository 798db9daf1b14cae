import { inParallel } from '../common/inParallel.ts';
import type { Exec, FileKind, Files } from '../common/ports.ts';
import { LOOKERS, statBelow } from './folders.ts';
import { joinPath, relativeWithin } from '../common/posixPath.ts';
import { ToolFailure } from './tool.ts';
import { zeroSeparated } from './zeroSeparated.ts';

export interface ListedEntry {
  readonly kind: FileKind;
  readonly size: string;
  readonly mode: string;
  /** Inode, modification and change time. A snapshot keeps them, so that the same stamp means the same file. */
  readonly stamp: string;
}

/** By path relative to the root, with `/`; the root itself is not in it. */
export type Listing = Map<string, ListedEntry>;

/** A path that may differ between two trees; with all below it where the stream of changes does not name that. */
export interface TouchedPath {
  readonly path: string;
  readonly isWholeTree: boolean;
  /** What of a file was written anew, where that is known of all files. */
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

// Names may hold anything but a zero byte and a slash.
const FORMAT = '%y %s %m %i %T@ %C@\\0%P\\0';
const KINDS: Readonly<Record<string, FileKind>> = { f: 'file', d: 'folder', l: 'symlink' };

/**
 * A whole tree, by `find`: ten times as fast as asking for each file from here.
 * Other file systems and subvolumes in it are not entered.
 */
export async function listTree(exec: Exec, root: string, signal: AbortSignal): Promise<Listing> {
  const args = [root, '-xdev', '-printf', FORMAT];
  const { stdout, stderr } = await exec('find', args, { cwd: '/', env: { LC_ALL: 'C' }, signal });
  const fields = zeroSeparated(stdout);
  // Folders that cannot be read, or that vanish meanwhile, make it complain; without the root itself nothing was listed at all.
  if (fields[1] !== '') throw new ToolFailure(stderr.trim() || `cannot list ${root}`);
  const listing: Listing = new Map();
  for (let index = 2; index + 1 < fields.length; index += 2) {
    listing.set(fields[index + 1]!, parseEntry(fields[index]!));
  }
  return listing;
}

function parseEntry(text: string): ListedEntry {
  const [letter, size, mode, inode, modified, changed] = text.split(' ');
  return {
    kind: KINDS[letter!] ?? 'other',
    size: size!,
    mode: mode!,
    stamp: `${inode} ${nanoseconds(modified!)} ${nanoseconds(changed!)}`,
  };
}

/** `find` prints ten digits after the point, of which the last is always 0. */
function nanoseconds(time: string): string {
  const [seconds, fraction = ''] = time.split('.');
  return `${BigInt(seconds!) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))}`;
}

/** Only these paths of a tree, as far as they are there. */
export async function listPaths(
  { exec, files }: ListingPorts,
  root: string,
  paths: readonly TouchedPath[],
  signal: AbortSignal,
): Promise<Listing> {
  const listing: Listing = new Map();
  await inParallel(paths, LOOKERS, async ({ path, isWholeTree }) => {
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

/** Those of the touched paths that are in a folder, relative to it; undefined when the folder as a whole was touched. */
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
