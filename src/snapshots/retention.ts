/** How long snapshots are kept. Recordings are kept apart from them. */
export interface RetentionPolicy {
  readonly maxAgeMs: number;
  /** Per session. */
  readonly maxCount: number;
  /** Of all sessions together. */
  readonly maxBytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export const DEFAULT_RETENTION: RetentionPolicy = {
  maxAgeMs: 7 * DAY_MS,
  maxCount: 1000,
  maxBytes: 10 * 1024 ** 3,
};

export interface KeptSnapshot {
  readonly sessionId: string;
  readonly id: bigint;
  readonly takenMs: number;
  /** What removing it would free. */
  readonly bytes: number;
  /** Pinned by a person, or needed by a branch, an open folder or a running session. */
  readonly isNeeded: boolean;
}

export interface Expiry {
  readonly snapshot: KeptSnapshot;
  readonly because: 'age' | 'count' | 'size';
}

/** What has to go, the oldest first. Nothing that is needed ever does, nor the newest of a session. */
export function expiredSnapshots(
  snapshots: readonly KeptSnapshot[],
  policy: RetentionPolicy,
  nowMs: number,
): Expiry[] {
  const oldestFirst = [...snapshots].sort((a, b) => a.takenMs - b.takenMs);
  const newest = new Map(oldestFirst.map((snapshot) => [snapshot.sessionId, snapshot]));
  const mayGo = oldestFirst.filter(
    (snapshot) => !snapshot.isNeeded && newest.get(snapshot.sessionId) !== snapshot,
  );
  const counts = new Map<string, number>();
  for (const { sessionId } of snapshots) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  let bytes = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, 0);

  const expiries: Expiry[] = [];
  for (const snapshot of mayGo) {
    const count = counts.get(snapshot.sessionId) ?? 0;
    let because: Expiry['because'];
    if (nowMs - snapshot.takenMs > policy.maxAgeMs) because = 'age';
    else if (count > policy.maxCount) because = 'count';
    else if (bytes > policy.maxBytes) because = 'size';
    else continue;
    expiries.push({ snapshot, because });
    counts.set(snapshot.sessionId, count - 1);
    bytes -= snapshot.bytes;
  }
  return expiries;
}
