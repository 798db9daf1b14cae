import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import type { SnapshotProvider, WholeVolumeSnapshot } from '../../snapshots/common/provider.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { readSnapshots, SnapshotsFile } from '../../snapshots/node/list/snapshotsFile.ts';
import { isThere, VolumeSearch } from './volumeSearch.ts';
import { withoutText, type ScrubText } from './textForms.ts';

export interface SnapshotScrub extends ScrubText {
  /**
   * Files and folders of the session that had the text. Snapshots that contain them have the text
   * too.
   */
  readonly scrubbedPlaces: readonly string[];
}

export interface VolumeScrub extends SnapshotScrub {
  /** All sessions, since a snapshot of the volume also contains files of other folders. */
  readonly sessions: readonly CataloguedSession[];
}

/**
 * Deletes the snapshots with the text, since they can't be rewritten.
 * @returns the number of deleted snapshots, and problems
 */
export async function scrubVolume(
  provider: SnapshotProvider,
  volume: VolumeScrub,
): Promise<{ readonly removed: number; readonly problems: string[] }> {
  const search = new VolumeSearch(volume);
  const states = await statesWith(provider, search, volume);
  const problems: string[] = [];
  let removed = 0;
  for (const state of states) {
    try {
      await provider.remove([state.ref]);
    } catch (error) {
      // The provider can't delete the snapshot, for example because a branch needs it.
      if (!(error instanceof UserError)) throw error;
      problems.push(messageOf(error));
      continue;
    }
    removed++;
    await markRemoved(provider, state, volume.sessions);
  }
  await provider.scrubLabels?.((bytes) => withoutText(bytes, volume.forms));
  const left = await statesWith(provider, search, volume);
  if (left.length > problems.length)
    throw new Error(`The text is still in ${left.length} snapshots.`);
  const [unread] = search.unreadable;
  if (unread !== undefined) {
    const count = search.unreadable.length;
    problems.push(`You can't read ${count} files in snapshots, such as ${unread}.`);
  }
  return { removed, problems };
}

async function statesWith(
  provider: SnapshotProvider,
  search: VolumeSearch,
  { scrubbedPlaces, signal }: VolumeScrub,
): Promise<WholeVolumeSnapshot[]> {
  const found: WholeVolumeSnapshot[] = [];
  for (const state of (await provider.volumeSnapshots?.()) ?? []) {
    signal.throwIfAborted();
    if (!(await isThere(state.folder, '.'))) continue;
    const hasScrubbedPlace = await anyOf(scrubbedPlaces, (place) => {
      if (!isWithin(state.of, place)) return Promise.resolve(false);
      return isThere(state.folder, path.relative(state.of, place));
    });
    if (hasScrubbedPlace || (await search.isIn(state.folder))) found.push(state);
  }
  return found;
}

async function anyOf<T>(
  items: readonly T[],
  isSo: (item: T) => Promise<boolean>,
): Promise<boolean> {
  for (const item of items) if (await isSo(item)) return true;
  return false;
}

async function markRemoved(
  provider: SnapshotProvider,
  state: WholeVolumeSnapshot,
  sessions: readonly CataloguedSession[],
): Promise<void> {
  for (const { folder } of sessions) {
    const gone = (await readSnapshots(folder)).filter(
      ({ files }) =>
        files.state === 'kept' && files.provider === provider.name && state.isNamedBy(files.ref),
    );
    if (gone.length === 0) continue;
    const file = await SnapshotsFile.open(folder);
    for (const line of gone) await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
}
