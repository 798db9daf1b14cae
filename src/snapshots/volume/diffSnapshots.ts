import type { FileChange } from '../common/provider.ts';
import { changesBetween } from './compareTrees.ts';
import type { ListingPorts, TouchedPath } from './listing.ts';
import { explained } from './tool.ts';

/** Where the snapshots of a volume are, and what its file system can tell of two of them. */
export interface SnapshotPlaces<Found extends { readonly root: string }> {
  readonly workspace: string;
  find(ref: string): Promise<Found>;
  /** Unknown when nothing is returned: then everything is looked at. */
  touchedBetween(
    before: Found,
    after: Found,
    signal: AbortSignal,
  ): Promise<TouchedPath[] | undefined>;
}

/** @param to a reference, or `workspace` for the files as they are now */
export async function diffSnapshots<Found extends { readonly root: string }>(
  ports: ListingPorts,
  places: SnapshotPlaces<Found>,
  [from, to]: readonly [string, string],
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const before = await places.find(from);
  try {
    if (to === 'workspace') {
      const pair = { oldRoot: before.root, newRoot: places.workspace, touched: undefined };
      return await changesBetween(ports, pair, signal);
    }
    const after = await places.find(to);
    const touched = await places.touchedBetween(before, after, signal);
    const pair = { oldRoot: before.root, newRoot: after.root, touched };
    return await changesBetween(ports, pair, signal);
  } catch (error) {
    throw explained(error, 'diff-failed', `${from} and ${to} cannot be compared`);
  }
}
