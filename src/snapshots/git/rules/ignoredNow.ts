import { WorkTreePaths } from '../scan/workTree.ts';
import { WorkTreeGit } from '../scan/workTreeGit.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import type { WorkTrees } from '../scan/workTrees.ts';
import { listIgnored } from '../scan/untrackedListing.ts';

/**
 * Lists the paths that the rules ignore now, without scanning anything else. As in a scan, files in
 * our indexes do not count as ignored.
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
