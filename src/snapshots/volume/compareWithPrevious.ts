import type { TakeRequest } from '../common/provider.ts';
import { compareStates, type TreeComparison, type TreePair } from './compareTrees.ts';
import type { ListingPorts } from './listing.ts';

/**
 * Compares a new snapshot with the previous one. If the file system can't tell what was touched,
 * the reported paths are compared first: usually one of them differs. If none does, everything is
 * compared, because reports may be incomplete.
 * @returns what was compared
 */
export async function compareWithPrevious(
  ports: ListingPorts,
  pair: TreePair,
  { changedPaths, signal }: TakeRequest,
): Promise<TreeComparison> {
  if (pair.touched === undefined && changedPaths !== undefined) {
    const touched = changedPaths.map((path) => ({ path, isWholeTree: false }));
    const seen = await compareStates(ports, { ...pair, touched }, signal);
    if (!seen.isSame) return { ...seen, isGlance: true };
  }
  return compareStates(ports, pair, signal);
}
