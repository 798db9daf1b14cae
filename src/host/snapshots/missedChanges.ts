import { NANOSECONDS_PER_MILLISECOND } from '../../base/clock.ts';
import type { FileStat } from '../../snapshots/common/ports.ts';
import type { FileChange, Omission } from '../../snapshots/common/provider.ts';
import { foldersAbove, type WatcherLog } from './watcherLog.ts';

/** File systems keep times in ticks of up to 10 ms. */
const TICK_NS = 20n * NANOSECONDS_PER_MILLISECOND;

/** A snapshot that looked only where the watcher said. */
export interface PartialSnapshot {
  readonly ref: string;
  readonly omissions: readonly Omission[];
  /** When it began. */
  readonly startedNs: bigint;
  /** Of what was told since. */
  readonly told: WatcherLog;
}

/** What differs between a snapshot and the files as they are now. */
export interface Comparison {
  readonly changes: readonly FileChange[];
  /** All that had changed by then has been told, as far as it is told at all. */
  readonly isTold: boolean;
  /** The clock did not stand still or go back, so that times of files can be compared with it. */
  readonly hasTimes: boolean;
}

export interface Finding {
  /** Of these the watcher did not tell in time: snapshots lack the change, or would. */
  readonly missed: readonly string[];
  /** There may be more of them. */
  readonly isUnsure: boolean;
}

/**
 * Sorts out what the watcher missed. What it has told of since the snapshot is in the next one, and what it never told of is not:
 * that needs no clock, and holds for folders that were moved, replaced or removed as a whole. Times decide where it told so soon
 * that the event may have been late, or where it is not known what it told.
 * @param stat of a path relative to the workspace
 */
export async function findMissed(
  snapshot: PartialSnapshot,
  { changes, isTold, hasTimes }: Comparison,
  stat: (path: string) => Promise<FileStat>,
): Promise<Finding> {
  const look = rememberingFolders(stat);
  const leftOut = new Set(snapshot.omissions.map(({ path }) => path));
  const missed: string[] = [];
  let isUnsure = false;
  for (const { path, kind } of changes) {
    // The snapshot says that it lacks it: it was there, and a rule or a permission has changed since.
    if (kind === 'added' && [path, ...foldersAbove(path)].some((place) => isNamed(leftOut, place)))
      continue;
    const telling = snapshot.told.tells(path);
    if (telling === 'later') continue;
    if (telling === 'never' && isTold) missed.push(path);
    else if (hasTimes && (await isOlder(look, path, snapshot.startedNs))) {
      // What is still there is left out by now, and nobody removed it.
      if (kind !== 'deleted' || !(await isFile(look, path))) missed.push(path);
    } else if (telling !== 'at once') isUnsure = true;
  }
  return { missed, isUnsure };
}

/** The whole workspace is no name: it stands for what was too much to be named. */
function isNamed(leftOut: ReadonlySet<string>, place: string): boolean {
  return place !== '' && leftOut.has(place);
}

type Look = (path: string) => Promise<FileStat | undefined>;

function rememberingFolders(stat: (path: string) => Promise<FileStat>): Look {
  const known = new Map<string, Promise<FileStat | undefined>>();
  return (path) => {
    const found = known.get(path) ?? stat(path).catch(() => undefined);
    known.set(path, found);
    return found;
  };
}

/**
 * Whether it was like this before that time. Removing, adding or moving something touches the folder that it was or is in, and
 * what is below a folder that was moved keeps its times: nothing on the way may be newer.
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
