import type { TakeRequest } from '../../provider.ts';
import { isSameState, type TreePair } from './compareTrees.ts';
import type { ListingPorts } from './listing.ts';

/**
 * Whether a new snapshot holds the same as the one before. Where the file system does not say what was touched, the
 * paths that a watcher saw are looked at first: mostly one of them did change, and that settles it. That they did not is
 * no proof, since a watcher may miss something.
 */
export async function isUnchangedTree(
  ports: ListingPorts,
  pair: TreePair,
  { changedPaths, signal }: TakeRequest,
): Promise<boolean> {
  if (pair.touched === undefined && changedPaths !== undefined) {
    const touched = changedPaths.map((path) => ({ path, isWholeTree: false }));
    if (!(await isSameState(ports, { ...pair, touched }, signal))) return false;
  }
  return isSameState(ports, pair, signal);
}
