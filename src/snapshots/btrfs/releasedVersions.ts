import type { ListedEntry, Listing, TouchedPath, WrittenRange } from '../volume/listing.ts';

/**
 * Contents that a snapshot is the last to have, and since when they were there: all snapshots from then on have them too. What was
 * moved or written in part counts as new from then on, though older snapshots may have most of it: that makes the answer too
 * large where those stay, and right when the oldest go first, as they do.
 */
export interface ReleasedVersion {
  readonly sinceNs: bigint;
  readonly bytes: number;
}

/** A large file that was written to where it is: how much of it was replaced is not to be seen from outside. */
export interface UnclearVersion {
  readonly path: string;
  readonly sinceNs: bigint;
}

export interface ReleasedVersions {
  readonly versions: readonly ReleasedVersion[];
  readonly unclear: readonly UnclearVersion[];
}

/** Smaller ones are written as a whole, mostly; of larger ones, as logs and databases are, a part. */
const MAX_WHOLE_BYTES = 1024 * 1024;
/** Snapshots are further apart than this, mostly: what was written together is one version. */
const TOGETHER_NS = 250_000_000n;
const MAX_VERSIONS = 64;

/**
 * What the later of two states does not have any more. Files are told by their inode: what was moved is still there, and what
 * has several names counts once. Counted by their length, whatever compression and holes make of it on the disk.
 * @param touched where that is known: what differs, with what of it was written
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

/** As the listing says it. */
function stampOf({ stamp }: ListedEntry) {
  const [inode = '', modified = '', changed = '0'] = stamp.split(' ');
  return { inode, modified, changedNs: BigInt(changed) };
}

/** What is behind the former end replaces nothing. */
function replacedBytes(ranges: readonly WrittenRange[], size: number): number {
  let bytes = 0;
  for (const { offset, length } of ranges)
    bytes += Math.max(0, Math.min(size, offset + length) - offset);
  return bytes;
}

/** Few enough to be noted: the largest as they are, all others as if they were as old as the oldest of them. */
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
      ...{ sinceNs, untilNs: sinceNs },
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

/** What goes with some of the snapshots: the versions that none of those which stay has. @param snapshots the oldest first */
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
