import { WorkTreeGit, WorkTreePaths } from '../scan/workTree.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import type { WorkTrees } from '../scan/workTrees.ts';
import { listIgnored } from '../scan/untrackedListing.ts';

/**
 * What rules leave out, without a look at anything else. What our indexes have is not ignored, as in a scan.
 * @param nested where there are repositories in the workspace, as the last scan found them
 * @returns relative to the workspace
 */
export async function ignoredNow(
  context: ScanContext,
  units: WorkTrees,
  nested: readonly string[],
): Promise<string[]> {
  const all = [await units.top(), ...(await Promise.all(nested.map((path) => units.nested(path))))];
  return (await Promise.all(all.map((unit) => ignoredIn(context, unit)))).flat();
}

async function ignoredIn(context: ScanContext, unit: WorkTree): Promise<string[]> {
  const { ignored } = await listIgnored(await WorkTreeGit.for(context, unit));
  const paths = new WorkTreePaths(unit);
  return ignored.map((path) => paths.inWorkspace(path));
}
