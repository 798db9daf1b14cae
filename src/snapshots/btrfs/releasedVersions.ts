import type { ListedEntry, Listing, TouchedPath, WrittenRange } from '../volume/listing.ts';

/**
 * Content of a file that no later snapshot has. All snapshots taken since the file last changed
 * have this content. Moving a file or writing a part of it counts as a change, although older
 * snapshots share most of its data: the estimate is too high if older snapshots stay, and right if
 * the oldest snapshots are removed first, as usual.
 */
export interface ReleasedVersion {
  readonly sinceNs: bigint;
  readonly bytes: number;
}

/** A large file that was modified in place: it is unknown how much was replaced. */
export interface UnclearVersion {
  readonly path: string;
  readonly sinceNs: bigint;
}

export interface ReleasedVersions {
  readonly versions: readonly ReleasedVersion[];
  readonly unclear: readonly UnclearVersion[];
}

/**
 * Smaller files are usually rewritten as a whole, larger ones such as logs and databases in part.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;
/**
 * Writes that are less than this apart count as one version. Snapshots are usually further apart.
 */
const TOGETHER_NS = 250_000_000n;
const MAX_VERSIONS = 64;

/**
 * Finds the content of `before` that `after` no longer has. Files are identified by inode, so moved
 * files still exist, and hard links count once. Sizes are file lengths, regardless of compression
 * and holes.
 * @param touched the paths that differ, with the ranges that were written, if known
 */
export function releasedVersions(
  before: Listing,
  after: Listing,
  touched: readonly TouchedPath[] | undefined,
): ReleasedVersions {
  const heirs = new Map<string, { readonly path: string; readonly entry: ListedEntry }>();
  for (const [path, entry] of after)
    if (entry.kind === 'file') heirs.set(stampOf(entry).inode, { path, entry });
  const written = touched && new Map(touched.map(({ path, written = [] }) => [path, written]));
  const versions: ReleasedVersion[] = [];
  const unclear: UnclearVersion[] = [];
  const seen = new Set<string>();
  for (const [path, entry] of before) {
    const { inode, modified, changedNs: sinceNs } = stampOf(entry);
    if (entry.kind !== 'file' || seen.has(inode)) continue;
    seen.add(inode);
    const size = Number(entry.size);
    const heir = heirs.get(inode);
    if (heir && stampOf(heir.entry).modified === modified && heir.entry.size === entry.size)
      continue;
    if (!heir) versions.push({ sinceNs, bytes: size });
    else if (written) {
      const cut = Math.max(0, size - Number(heir.entry.size));
      const bytes = Math.min(size, cut + replacedBytes(written.get(heir.path) ?? [], size));
      versions.push({ sinceNs, bytes });
    } else if (size <= MAX_WHOLE_BYTES) versions.push({ sinceNs, bytes: size });
    else unclear.push({ path, sinceNs });
  }
  return { versions: versions.filter(({ bytes }) => bytes > 0), unclear };
}

/** Parses the stamp of a listing. */
function stampOf({ stamp }: ListedEntry) {
  const [inode = '', modified = '', changed = '0'] = stamp.split(' ');
  return { inode, modified, changedNs: BigInt(changed) };
}

/** Counts the replaced bytes: those written behind the file's former end replace nothing. */
function replacedBytes(ranges: readonly WrittenRange[], size: number): number {
  let bytes = 0;
  for (const { offset, length } of ranges)
    bytes += Math.max(0, Math.min(size, offset + length) - offset);
  return bytes;
}

/**
 * Limits the number of versions in a note: keeps the largest, and merges the rest into one that has
 * the time of the oldest.
 */
export function condensed(versions: readonly ReleasedVersion[]): ReleasedVersion[] {
  const groups: { sinceNs: bigint; untilNs: bigint; bytes: number }[] = [];
  for (const { sinceNs, bytes } of [...versions].sort((a, b) => compare(a.sinceNs, b.sinceNs))) {
    const last = groups.at(-1);
    if (last && sinceNs - last.untilNs < TOGETHER_NS) {
      last.bytes += bytes;
      last.untilNs = sinceNs;
    } else groups.push({ sinceNs, untilNs: sinceNs, bytes });
  }
  const largest = groups.sort((a, b) => b.bytes - a.bytes).slice(0, MAX_VERSIONS - 1);
  const rest = groups.slice(MAX_VERSIONS - 1);
  if (rest.length > 0) {
    const sinceNs = rest.reduce((a, b) => (a.sinceNs < b.sinceNs ? a : b)).sinceNs;
    largest.push({
      sinceNs,
      untilNs: sinceNs,
      bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  }
  return largest.map(({ sinceNs, bytes }) => ({ sinceNs, bytes }));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface WeighedSnapshot {
  readonly takenNs: bigint;
  readonly isGoing: boolean;
  readonly released: readonly ReleasedVersion[];
}

/** Adds up the versions that no remaining snapshot has. @param snapshots oldest first */
export function freedBytes(snapshots: readonly WeighedSnapshot[]): number {
  let bytes = 0;
  let staysNs: bigint | undefined;
  for (const { takenNs, isGoing, released } of snapshots) {
    if (isGoing) {
      for (const version of released)
        if (staysNs === undefined || version.sinceNs > staysNs) bytes += version.bytes;
    } else staysNs = takenNs;
  }
  return bytes;
}
