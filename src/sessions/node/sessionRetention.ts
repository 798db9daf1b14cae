import type { BranchOrigins } from '../../branching/common/branchOrigins.ts';
import type { Catalogue, CataloguedSession } from './catalogue.ts';
import type { DeletedSessions } from './deletedSessions.ts';
import { readSessionNotes } from './sessionNotes.ts';
import { unfinishedScrubs } from './unfinishedScrubs.ts';

const NANOSECONDS_PER_DAY = 86_400_000_000_000n;

/**
 * Sessions that ended more than `keepDays` days ago, except pinned ones and those with a
 * pinned snapshot, with branches, or with an unfinished scrub.
 */
export async function expiredSessions(
  catalogue: Catalogue,
  keepDays: number,
  nowNs: bigint,
  branches: BranchOrigins,
): Promise<CataloguedSession[]> {
  const limitNs = nowNs - BigInt(Math.floor(keepDays)) * NANOSECONDS_PER_DAY;
  const branched = new Set((await branches.list()).map(({ from }) => from.sessionId));
  const unfinished = unfinishedScrubs(catalogue);
  const expired: CataloguedSession[] = [];
  for (const session of await catalogue.list()) {
    const { state, endedAtNs, startedAtNs } = session.meta;
    if (branched.has(session.meta.id) || unfinished.has(session.meta.id)) continue;
    if (state === 'running' || (endedAtNs ?? startedAtNs) >= limitNs) continue;
    const { isPinned, pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    if (isPinned !== true && pinnedSnapshots.length === 0) expired.push(session);
  }
  return expired;
}

/** Removes sessions for good. Their snapshots are subject to the next pruning. */
export async function removeSessions(
  sessions: readonly CataloguedSession[],
  deleted: DeletedSessions,
): Promise<void> {
  for (const session of sessions) {
    await deleted.add(session);
    await deleted.purge(session.meta.id);
  }
}
