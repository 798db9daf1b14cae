import { WorkTreePaths } from '../scan/workTree.ts';
import { WorkTreeGit } from '../scan/workTreeGit.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import type { WorkTrees } from '../scan/workTrees.ts';
import { listIgnored } from '../scan/untrackedListing.ts';

/**
 * Lists what the rules ignore, without looking at anything else. Files in our indexes are not
 * ignored, as in a scan.
 * @param nested the nested repositories that the last scan found
 * @returns paths relative to the workspace
 */
export async function ignoredNow(
  context: ScanContext,
  workTrees: WorkTrees,
  nested: readonly string[],
): Promise<string[]> {
  const all = [
    await workTrees.top(),
    ...(await Promise.all(nested.map((path) => workTrees.nested(path)))),
  ];
  return (await Promise.all(all.map((workTree) => ignoredIn(context, workTree)))).flat();
}

async function ignoredIn(context: ScanContext, workTree: WorkTree): Promise<string[]> {
  const { ignored } = await listIgnored(await WorkTreeGit.for(context, workTree));
  const paths = new WorkTreePaths(workTree);
  return ignored.map((path) => paths.inWorkspace(path));
}
