import { inParallel } from '../common/inParallel.ts';
import type { Files } from '../common/ports.ts';
import { STAT_CONCURRENCY, statBelow } from '../common/folders.ts';
import type { TouchedPath } from './listing.ts';

/**
 * Whether a touched file has hard links. File systems report a changed file under one name only, so
 * the touched paths would be incomplete.
 */
export async function haveHardLinks(
  files: Files,
  roots: readonly string[],
  touched: readonly TouchedPath[],
): Promise<boolean> {
  const places = roots.flatMap((root) => touched.map(({ path }) => [root, path] as const));
  let found = false;
  await inParallel(places, STAT_CONCURRENCY, async ([root, path]) => {
    // Untested: this only saves time once the answer is known.
    if (found) return;
    const stat = await statBelow(files, root, path);
    if (stat !== undefined && stat.kind !== 'folder' && stat.links > 1) found = true;
  });
  return found;
}
