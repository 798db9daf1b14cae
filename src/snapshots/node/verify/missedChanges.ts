import { NANOSECONDS_PER_MILLISECOND } from '../../../base/clock.ts';
import type { FileStat } from '../../common/ports.ts';
import type { FileChange, Omission } from '../../common/provider.ts';
import { foldersAbove, type WatcherLog } from '../watch/watcherLog.ts';

/** File systems round times to ticks of up to 10 ms. */
const TICK_NS = 20n * NANOSECONDS_PER_MILLISECOND;

/** An incremental snapshot: it scanned only the paths that the watcher had reported. */
export interface PartialSnapshot {
  readonly ref: string;
  readonly omissions: readonly Omission[];
  /** Time of the snapshot's start. */
  readonly startedNs: bigint;
  /** The changes that the watcher has reported since then. */
  readonly log: WatcherLog;
}

/** The differences between a snapshot and the current files. */
export interface Comparison {
  readonly changes: readonly FileChange[];
  /** The watcher has reported all changes up to the comparison that it can detect. */
  readonly isCaughtUp: boolean;
  /** The clock was not set back or stopped, so file times can be compared with it. */
  readonly hasTimes: boolean;
}

export interface Finding {
  /**
   * Paths whose changes the watcher has missed, so that incremental snapshots lack these changes.
   */
  readonly missed: readonly string[];
  /** There may be more missed changes. */
  readonly isUnsure: boolean;
}

/**
 * Finds the changes that the watcher missed. A change that was reported after the snapshot began is
 * not missed: the next snapshot has it. A change that was never reported is missed. Neither needs a
 * clock, and both also hold for folders that were moved, replaced or removed. File times decide if
 * the report came so early that it may belong to a change before the snapshot, or if the log does
 * not tell.
 * @param stat returns the times of a path relative to the workspace
 */
export async function findMissed(
  snapshot: PartialSnapshot,
  { changes, isCaughtUp, hasTimes }: Comparison,
  stat: (path: string) => Promise<FileStat>,
): Promise<Finding> {
  const look = cached(stat);
  const leftOut = new Set(snapshot.omissions.map(({ path }) => path));
  const missed: string[] = [];
  let isUnsure = false;
  for (const { path, kind } of changes) {
    // The snapshot lists it as left out: it existed, and a rule or a permission has changed since.
    if (kind === 'added' && [path, ...foldersAbove(path)].some((place) => isNamed(leftOut, place)))
      continue;
    const reported = snapshot.log.reported(path);
    if (reported === 'later') continue;
    if (reported === 'never' && isCaughtUp) missed.push(path);
    else if (hasTimes && (await isOlder(look, path, snapshot.startedNs))) {
      // A file that seems to be deleted but exists was not deleted: snapshots leave it out now.
      if (kind !== 'deleted' || !(await isFile(look, path))) missed.push(path);
    } else if (reported !== 'at once') isUnsure = true;
  }
  return { missed, isUnsure };
}

/** The empty path does not count: it stands for omissions that were too many to list. */
function isNamed(leftOut: ReadonlySet<string>, place: string): boolean {
  return place !== '' && leftOut.has(place);
}

type Look = (path: string) => Promise<FileStat | undefined>;

/** Looks at each path once; undefined for one that does not exist or can't be reached. */
function cached(stat: (path: string) => Promise<FileStat>): Look {
  const known = new Map<string, Promise<FileStat | undefined>>();
  return (path) => {
    const found = known.get(path) ?? stat(path).catch(() => undefined);
    known.set(path, found);
    return found;
  };
}

/**
 * Whether a path has not changed since a time. Adding, removing or moving a file changes the time
 * of its folder, and files below a moved folder keep their times: so no folder above may be newer
 * either.
 */
async function isOlder(look: Look, path: string, timeNs: bigint): Promise<boolean> {
  let isFound = false;
  for (const place of [path, ...foldersAbove(path)]) {
    const stat = await look(place);
    if (!stat) continue;
    if (stat.ctimeNs >= timeNs - TICK_NS) return false;
    isFound = true;
  }
  return isFound;
}

async function isFile(look: Look, path: string): Promise<boolean> {
  const stat = await look(path);
  return stat !== undefined && stat.kind !== 'folder';
}
