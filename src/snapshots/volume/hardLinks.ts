import { inParallel } from '../common/inParallel.ts';
import type { Files } from '../common/ports.ts';
import { LOOKERS, statBelow } from './folders.ts';
import type { TouchedPath } from './listing.ts';

/** A file system names a changed file once, whatever names it has: then the touched paths are not all there are. */
export async function haveSeveralNames(
  files: Files,
  roots: readonly string[],
  touched: readonly TouchedPath[],
): Promise<boolean> {
  const places = roots.flatMap((root) => touched.map(({ path }) => [root, path] as const));
  let found = false;
  await inParallel(places, LOOKERS, async ([root, path]) => {
    // Untested: saves a look at files once the answer is known.
    if (found) return;
    const stat = await statBelow(files, root, path);
    if (stat !== undefined && stat.kind !== 'folder' && stat.links > 1) found = true;
  });
  return found;
}
