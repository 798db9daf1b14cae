import path from 'node:path';
import type { SnapshotProvider, WholeVolumeSnapshot } from '../../snapshots/common/provider.ts';
import { isWithin } from '../../platform/node/files/isWithin.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { readSnapshots } from '../../snapshots/node/list/snapshotsFile.ts';
import { changedRanges, type ByteRange } from '../common/byteRanges.ts';
import type { RemovedSnapshot, ScrubChange } from './journal/scrubJournal.ts';
import { isThere, VolumeSearch } from './volumeSearch.ts';
import { withoutText, type ScrubText } from './textForms.ts';

export interface SnapshotScrub extends ScrubText {
  /**
   * Files and folders of the session that have the text. Snapshots that contain them have the text
   * too.
   */
  readonly scrubbedPlaces: readonly string[];
}

export interface VolumeScrub extends SnapshotScrub {
  /** All sessions, since a snapshot of the volume also contains files of other folders. */
  readonly sessions: readonly CataloguedSession[];
}

export interface PlannedVolume {
  readonly change: Extract<ScrubChange, { kind: 'remove' }>;
  /** Sentences about files that could not be searched. */
  readonly problems: readonly string[];
}

/** Plans to delete the snapshots with the text, since they can't be rewritten. */
export async function planVolumeScrub(
  provider: SnapshotProvider,
  volume: VolumeScrub,
): Promise<PlannedVolume> {
  const search = new VolumeSearch(volume);
  const snapshots: RemovedSnapshot[] = [];
  for (const state of await statesWith(provider, search, volume))
    snapshots.push({ ref: state.ref, namedBy: await namesOf(state, provider, volume.sessions) });
  const labels: [string, ByteRange[]][] = [];
  await provider.scrubLabels?.((label, ref) => {
    const safe = withoutText(label, volume.forms);
    if (safe) labels.push([ref, changedRanges(label, safe)]);
    return undefined;
  });
  const { workspace, name } = provider;
  const change = { kind: 'remove', workspace, provider: name, snapshots, labels } as const;
  return { change, problems: unreadText(search) };
}

/** Searches the snapshots of a volume again. @throws Error if more than `known` have the text */
export async function verifyVolume(
  provider: SnapshotProvider,
  volume: VolumeScrub,
  known: number,
): Promise<void> {
  const left = await statesWith(provider, new VolumeSearch(volume), volume);
  if (left.length > known) throw new Error(`The text is still in ${left.length} snapshots.`);
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

/** The references by which sessions name a snapshot. */
async function namesOf(
  state: WholeVolumeSnapshot,
  provider: SnapshotProvider,
  sessions: readonly CataloguedSession[],
): Promise<string[]> {
  const names = new Set<string>();
  for (const { folder } of sessions) {
    for (const { files } of await readSnapshots(folder)) {
      if (files.state !== 'kept' || files.provider !== provider.name) continue;
      if (state.isNamedBy(files.ref)) names.add(files.ref);
    }
  }
  return [...names];
}

function unreadText({ unreadable }: VolumeSearch): string[] {
  const [unread] = unreadable;
  if (unread === undefined) return [];
  return [`You can't read ${unreadable.length} files in snapshots, such as ${unread}.`];
}
