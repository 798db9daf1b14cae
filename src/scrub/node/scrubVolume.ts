import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import type { SnapshotProvider, WholeState } from '../../snapshots/common/provider.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { readSnapshots, SnapshotsFile } from '../../snapshots/node/snapshotsFile.ts';
import { isThere, VolumeSearch } from './volumeSearch.ts';
import { withoutText } from './textForms.ts';

export interface ScrubbedVolume {
  /** All sessions: those in other folders of the volume have snapshots with the same files. */
  readonly sessions: readonly CataloguedSession[];
  readonly text: string;
  readonly forms: readonly Buffer[];
  /** What of ours had the text in it: where a state holds these, it has it too, however they are compressed. */
  readonly scrubbedPlaces: readonly string[];
  readonly signal: AbortSignal;
}

/** States that cannot be written anew go as a whole where the text is in them. @returns how many went, and what is left to say */
export async function scrubVolume(
  provider: SnapshotProvider,
  volume: ScrubbedVolume,
): Promise<{ readonly removed: number; readonly troubles: string[] }> {
  const search = new VolumeSearch(volume.forms, volume.text, volume.signal);
  const going = await statesWith(provider, search, volume);
  const troubles: string[] = [];
  let removed = 0;
  for (const state of going) {
    try {
      await provider.remove([state.ref]);
    } catch (error) {
      // A branch may need it.
      if (!(error instanceof UserError)) throw error;
      troubles.push(messageOf(error));
      continue;
    }
    removed++;
    await markRemoved(provider, state, volume.sessions);
  }
  await provider.scrubLabels?.((bytes) => withoutText(bytes, volume.forms));
  const left = await statesWith(provider, search, volume);
  if (left.length > troubles.length)
    throw new Error(`The text is still in ${left.length} snapshots.`);
  const [unread] = search.unreadable;
  if (unread !== undefined) {
    const count = search.unreadable.length;
    troubles.push(`${count} files in snapshots cannot be read by you, such as ${unread}.`);
  }
  return { removed, troubles };
}

async function statesWith(
  provider: SnapshotProvider,
  search: VolumeSearch,
  { scrubbedPlaces, signal }: ScrubbedVolume,
): Promise<WholeState[]> {
  const found: WholeState[] = [];
  for (const state of (await provider.wholeStates?.()) ?? []) {
    signal.throwIfAborted();
    if (!(await isThere(state.folder, '.'))) continue;
    const isOursInIt = await anyOf(scrubbedPlaces, (place) => {
      if (!isWithin(state.of, place)) return Promise.resolve(false);
      return isThere(state.folder, path.relative(state.of, place));
    });
    if (isOursInIt || (await search.isIn(state.folder))) found.push(state);
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
  state: WholeState,
  sessions: readonly CataloguedSession[],
): Promise<void> {
  for (const { folder } of sessions) {
    const gone = (await readSnapshots(folder)).filter(
      ({ files }) =>
        files.state === 'kept' && files.provider === provider.name && state.isMeantBy(files.ref),
    );
    if (gone.length === 0) continue;
    const file = await SnapshotsFile.open(folder);
    for (const line of gone) await file.append({ ...line, files: { state: 'removed' } });
    await file.close();
  }
}
