import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { unclearMoments } from './reconcileSnapshots.ts';
import { readSnapshots } from './snapshotsFile.ts';

/**
 * References that nobody names yet, of sessions whose recorder was killed before it had said all: some of them are the files of
 * a moment, and get their line when the session is opened. By then the others are garbage.
 */
export async function unclearRefs(
  unknown: readonly string[],
  sessions: readonly CataloguedSession[],
): Promise<Set<string>> {
  const unclear = new Set<string>();
  for (const session of sessions) {
    const own = unknown.filter((ref) => ref.includes(session.meta.id));
    // Most have none, and the recordings of the others are read for it.
    if (own.length > 0 && (await isUnclear(session))) own.forEach((ref) => unclear.add(ref));
  }
  return unclear;
}

/** Whether opening it would find more. A session that ended has said all but how its last snapshots went. */
async function isUnclear(session: CataloguedSession): Promise<boolean> {
  try {
    if (session.meta.state !== 'finished') return (await unclearMoments(session)).length > 0;
    return (await readSnapshots(session.folder)).some(({ files }) => files.state === 'pending');
  } catch {
    return true; // What cannot be read now may say more.
  }
}
