/** How long snapshots are kept. Recordings are kept apart from them. */
export interface RetentionPolicy {
  readonly maxAgeMs: number;
  /** Per session. */
  readonly maxCount: number;
  /** Of all sessions of a workspace together. */
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

/** A moment of a session that a state is kept for. */
export interface KeptMoment {
  readonly sessionId: string;
  readonly id: bigint;
  readonly takenMs: number;
}

/** A state that is kept, under the youngest of its moments. */
export interface KeptSnapshot extends KeptMoment {
  /** All of them: a session begins with the state that the one before left, and both need it. */
  readonly moments: readonly KeptMoment[];
  /** Pinned by a person, or needed by a branch, an open folder or a running session. */
  readonly isNeeded: boolean;
}

export interface Expiry<T extends KeptSnapshot = KeptSnapshot> {
  readonly snapshot: T;
  readonly because: 'age' | 'count' | 'size';
}

/** What is too old or too much, the oldest first. Nothing that is needed ever is, nor the newest of a session. */
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
  for (const snapshot of mayGo(snapshots)) {
    const isOld = nowMs - snapshot.takenMs > policy.maxAgeMs;
    const isTooMuch = [...sessionsOf(snapshot)].every((id) => counts.get(id)! > policy.maxCount);
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
 * What has to go beside that until there is room, the oldest first. What several of them free together is more than what each
 * does: that is asked of whoever keeps them, a few times.
 * @param expired what goes already
 * @param freedBy how many bytes go with some of them
 */
export async function expiredBySize<T extends KeptSnapshot>(
  snapshots: readonly T[],
  expired: readonly Expiry<T>[],
  excessBytes: number,
  freedBy: (some: readonly T[]) => Promise<number>,
): Promise<Expiry<T>[]> {
  const going = expired.map(({ snapshot }) => snapshot);
  const others = mayGo(snapshots).filter((snapshot) => !going.includes(snapshot));
  const isEnough = async (count: number) =>
    (await freedBy([...going, ...others.slice(0, count)])) >= excessBytes;
  if (excessBytes <= 0 || others.length === 0 || (await isEnough(0))) return [];
  let [tooFew, enough] = [0, others.length];
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (await isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return others.slice(0, enough).map((snapshot) => ({ snapshot, because: 'size' }));
}

/** Oldest first. */
function mayGo<T extends KeptSnapshot>(snapshots: readonly T[]): T[] {
  const newest = new Set(newestMoments(snapshots.flatMap(({ moments }) => moments)));
  return snapshots
    .filter(({ isNeeded, moments }) => !isNeeded && !moments.some((moment) => newest.has(moment)))
    .sort((a, b) => a.takenMs - b.takenMs);
}

/** One of each session. */
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
