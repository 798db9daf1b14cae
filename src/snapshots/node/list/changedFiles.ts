import { readSnapshots } from './snapshotsFile.ts';
import type { ChangedFiles } from '../../../sessions/node/sessionNotes.ts';
import type { CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { SessionFiles } from './sessionFiles.ts';

/**
 * Counts the files that a session changed. Opens the snapshots only if the list of snapshots does
 * not show that nothing changed.
 * @param known an earlier count, which is returned if there is no later snapshot
 * @returns undefined if the session has no snapshots
 */
export async function countChangedFiles(
  session: CataloguedSession,
  signal: AbortSignal,
  known?: ChangedFiles,
): Promise<ChangedFiles | undefined> {
  const lines = await readSnapshots(session.folder);
  const kept = lines.filter(({ files }) => files.state === 'kept');
  const [first, last] = [kept[0], kept.at(-1)];
  if (!first || !last) return undefined;
  const compared = { first: String(first.id), last: String(last.id) };
  if (known?.first === compared.first && known.last === compared.last) return known;
  const later = lines.slice(lines.indexOf(first) + 1);
  const isUnchanged = later.every(
    ({ files }) => files.state === 'kept' && files.stats.changed === 0,
  );
  if (isUnchanged) return { ...compared, count: 0 };
  const files = await SessionFiles.open(session);
  try {
    const provider = await files.provider();
    const changes = await provider.diff(files.kept(first.id).ref, files.kept(last.id).ref, signal);
    // Files in `.git` change with every git command and are not the session's work.
    const own = changes.filter(({ path }) => !path.split('/').includes('.git'));
    return { ...compared, count: own.length };
  } finally {
    await files.dispose();
  }
}
