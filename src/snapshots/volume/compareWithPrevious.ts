import type { TakeRequest } from '../common/provider.ts';
import { compareStates, type Comparison, type TreePair } from './compareTrees.ts';
import type { ListingPorts } from './listing.ts';

/**
 * Whether a new snapshot holds the same as the one before. Where the file system does not say what was touched, the
 * paths that a watcher saw are looked at first: mostly one of them did change, and that settles it. That they did not is
 * no proof, since a watcher may miss something.
 * @returns what was looked at to find out
 */
export async function compareWithPrevious(
  ports: ListingPorts,
  pair: TreePair,
  { changedPaths, signal }: TakeRequest,
): Promise<Comparison> {
  if (pair.touched === undefined && changedPaths !== undefined) {
    const touched = changedPaths.map((path) => ({ path, isWholeTree: false }));
    const seen = await compareStates(ports, { ...pair, touched }, signal);
    if (!seen.isSame) return { ...seen, isGlance: true };
  }
  return compareStates(ports, pair, signal);
}
