/** Limits for keeping snapshots. Recordings are kept independently. */
export interface RetentionPolicy {
  readonly maxAgeMs: number;
  /** The largest number of snapshots per session. */
  readonly maxCount: number;
  /** The largest total size of a workspace's snapshots. */
  readonly maxBytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const GIGABYTE = 1e9;
const MAX_COUNT = 1000;

export const DEFAULT_RETENTION = retention(7, 10);

export function retention(maxAgeDays: number, maxGigabytes: number): RetentionPolicy {
  return {
    maxAgeMs: maxAgeDays * DAY_MS,
    maxCount: MAX_COUNT,
    maxBytes: maxGigabytes * GIGABYTE,
  };
}

/** A moment of a session that a snapshot belongs to. */
export interface KeptMoment {
  readonly sessionId: string;
  readonly id: bigint;
  readonly takenMs: number;
}

/** A stored snapshot with the fields of its youngest moment. */
export interface KeptSnapshot extends KeptMoment {
  /**
   * All moments that share the snapshot. For example, a session may start with the snapshot that
   * the previous session ended with, and both need it.
   */
  readonly moments: readonly KeptMoment[];
  /** Pinned by the user, or needed by a branch, an open folder or a running session. */
  readonly isNeeded: boolean;
}

export interface Expiry<T extends KeptSnapshot = KeptSnapshot> {
  readonly snapshot: T;
  readonly because: 'age' | 'count' | 'size';
}

/**
 * Lists snapshots over the age or count limit, oldest first. Needed snapshots and the newest of
 * each session are never listed.
 */
export function expiredSnapshots<T extends KeptSnapshot>(
  snapshots: readonly T[],
  policy: Pick<RetentionPolicy, 'maxAgeMs' | 'maxCount'>,
  nowMs: number,
): Expiry<T>[] {
  const counts = new Map<string, number>();
  const count = (snapshot: T, change: number) => {
    for (const id of sessionsOf(snapshot)) counts.set(id, (counts.get(id) ?? 0) + change);
  };
  for (const snapshot of snapshots) count(snapshot, 1);
  const expiries: Expiry<T>[] = [];
  for (const snapshot of removableSnapshots(snapshots)) {
    const isOld = nowMs - snapshot.takenMs > policy.maxAgeMs;
    const isTooMuch = [...sessionsOf(snapshot)].every(
      (id) => (counts.get(id) ?? 0) > policy.maxCount,
    );
    if (!isOld && !isTooMuch) continue;
    expiries.push({ snapshot, because: isOld ? 'age' : 'count' });
    count(snapshot, -1);
  }
  return expiries;
}

function sessionsOf({ moments }: KeptSnapshot): Set<string> {
  return new Set(moments.map(({ sessionId }) => sessionId));
}

/**
 * Lists further snapshots to remove, oldest first, until enough space is freed. Snapshots share
 * data, so removing several frees more than the sum of removing each: estimates are made for sets.
 * @param expired snapshots that are removed anyway
 * @param freedBy estimates how many bytes removing a set frees
 */
export async function expiredBySize<T extends KeptSnapshot>(
  snapshots: readonly T[],
  expired: readonly Expiry<T>[],
  excessBytes: number,
  freedBy: (some: readonly T[]) => Promise<number>,
): Promise<Expiry<T>[]> {
  const going = expired.map(({ snapshot }) => snapshot);
  const others = removableSnapshots(snapshots).filter((snapshot) => !going.includes(snapshot));
  const isEnough = async (count: number) =>
    (await freedBy([...going, ...others.slice(0, count)])) >= excessBytes;
  if (excessBytes <= 0 || others.length === 0 || (await isEnough(0))) return [];
  // A binary search by hand, because `firstIndexWhere` can't wait for an estimate.
  let [tooFew, enough] = [0, others.length];
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (await isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return others.slice(0, enough).map((snapshot) => ({ snapshot, because: 'size' }));
}

/** Snapshots that may be removed, oldest first. */
function removableSnapshots<T extends KeptSnapshot>(snapshots: readonly T[]): T[] {
  const newest = new Set(newestMoments(snapshots.flatMap(({ moments }) => moments)));
  return snapshots
    .filter(({ isNeeded, moments }) => !isNeeded && !moments.some((moment) => newest.has(moment)))
    .sort((a, b) => a.takenMs - b.takenMs);
}

/** Returns the newest moment of each session. */
function newestMoments(moments: readonly KeptMoment[]): Iterable<KeptMoment> {
  const newest = new Map<string, KeptMoment>();
  for (const moment of moments) {
    const other = newest.get(moment.sessionId);
    if (!other || isLater(moment, other)) newest.set(moment.sessionId, moment);
  }
  return newest.values();
}

function isLater(a: KeptMoment, b: KeptMoment): boolean {
  return a.takenMs === b.takenMs ? a.id > b.id : a.takenMs > b.takenMs;
}
