import { UnitGit, UnitPaths } from '../scan/unit.ts';
import type { ScanContext, Unit } from '../scan/unit.ts';
import type { Units } from '../scan/units.ts';
import { listIgnored } from '../scan/unitSight.ts';

/**
 * What rules leave out, without a look at anything else. What our indexes have is not ignored, as in a scan.
 * @param nested where there are repositories in the workspace, as the last scan found them
 * @returns relative to the workspace
 */
export async function ignoredNow(
  context: ScanContext,
  units: Units,
  nested: readonly string[],
): Promise<string[]> {
  const all = [await units.top(), ...(await Promise.all(nested.map((path) => units.nested(path))))];
  return (await Promise.all(all.map((unit) => ignoredIn(context, unit)))).flat();
}

async function ignoredIn(context: ScanContext, unit: Unit): Promise<string[]> {
  const { ignored } = await listIgnored(await UnitGit.for(context, unit));
  const paths = new UnitPaths(unit);
  return ignored.map((path) => paths.inWorkspace(path));
}
