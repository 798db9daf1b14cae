import type { CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { unclearMoments } from '../list/reconcileSnapshots.ts';
import { readSnapshots } from '../list/snapshotsFile.ts';

/**
 * Finds references that a session may still claim: if its recorder was killed, opening the session
 * assigns some of them to moments. After that the rest are garbage.
 */
export async function unclearRefs(
  unknown: readonly string[],
  sessions: readonly CataloguedSession[],
): Promise<Set<string>> {
  const unclear = new Set<string>();
  for (const session of sessions) {
    const own = unknown.filter((ref) => ref.includes(session.meta.id));
    // Only sessions with such references, which are few, have their recordings read.
    if (own.length > 0 && (await isUnclear(session))) own.forEach((ref) => unclear.add(ref));
  }
  return unclear;
}

/**
 * Whether opening the session could assign more references. In a finished session, only pending
 * snapshots can get one.
 */
async function isUnclear(session: CataloguedSession): Promise<boolean> {
  try {
    if (session.meta.state !== 'finished') return (await unclearMoments(session)).length > 0;
    return (await readSnapshots(session.folder)).some(({ files }) => files.state === 'pending');
  } catch {
    return true; // A session that can't be read now may claim any of them.
  }
}
