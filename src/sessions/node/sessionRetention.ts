import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Catalogue, CataloguedSession } from './catalogue.ts';
import type { DeletedSessions } from './deletedSessions.ts';
import { readSessionNotes } from './sessionNotes.ts';

const NANOSECONDS_PER_DAY = 86_400_000_000_000n;

/** Sessions that ended more than so many days ago. Those with a pinned snapshot are wanted, and stay, as do those with branches. */
export async function expiredSessions(
  catalogue: Catalogue,
  keepDays: number,
  nowNs: bigint,
  registry = new BranchRegistry(),
): Promise<CataloguedSession[]> {
  const limitNs = nowNs - BigInt(Math.floor(keepDays)) * NANOSECONDS_PER_DAY;
  const branched = new Set((await registry.list()).map(({ from }) => from.sessionId));
  const expired: CataloguedSession[] = [];
  for (const session of await catalogue.list()) {
    const { state, endedAtNs, startedAtNs } = session.meta;
    if (branched.has(session.meta.id)) continue;
    if (state === 'running' || (endedAtNs ?? startedAtNs) >= limitNs) continue;
    const { pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    if (pinnedSnapshots.length === 0) expired.push(session);
  }
  return expired;
}

/** Removes them for good. Their snapshots go with the next pruning of those, which has limits of its own. */
export async function removeSessions(
  sessions: readonly CataloguedSession[],
  deleted: DeletedSessions,
): Promise<void> {
  for (const session of sessions) {
    await deleted.add(session);
    await deleted.purge(session.meta.id);
  }
}
