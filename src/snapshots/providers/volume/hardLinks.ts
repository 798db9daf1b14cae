import type { Files } from '../../ports.ts';
import { statBelow } from './folders.ts';
import type { TouchedPath } from './listing.ts';

/** A file system names a changed file once, whatever names it has: then the touched paths are not all there are. */
export async function haveSeveralNames(
  files: Files,
  roots: readonly string[],
  touched: readonly TouchedPath[],
): Promise<boolean> {
  for (const root of roots) {
    for (const { path } of touched) {
      const stat = await statBelow(files, root, path);
      if (stat !== undefined && stat.kind !== 'folder' && stat.links > 1) return true;
    }
  }
  return false;
}
