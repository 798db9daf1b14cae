import type { FileKind } from '../../ports.ts';
import { errorCode, saysGone } from '../volume/errorCode.ts';
import { joinPath } from '../volume/posixPath.ts';
import type { ScanContext, Unit } from './unit.ts';

/** Beyond that a scan is as fast. */
const MAX_FOLDERS = 200;

/**
 * Folders with nothing in them, at some places and around what is gone. Relative to the unit's root.
 * @returns undefined when only a scan can tell: one further below may be ignored, or one may not be listed
 */
export async function emptyFolders(
  { ports, signal }: ScanContext,
  unit: Unit,
  places: ReadonlyMap<string, FileKind | 'gone'>,
): Promise<string[] | undefined> {
  const isEmpty = async (folder: string, depth: number): Promise<boolean | undefined> => {
    signal.throwIfAborted();
    looked += 1;
    if (looked > MAX_FOLDERS) return undefined;
    const entries = await ports.files.list(joinPath(unit.root, folder)).catch(codeOf);
    // One that is gone meanwhile is not empty; any other that cannot be listed is a scan's to name.
    if (typeof entries === 'string') return saysGone(entries) ? false : undefined;
    if (entries.length === 0) return depth === 0 ? true : undefined;
    if (places.get(folder) !== 'folder' && depth === 0) return false;
    for (const { name, kind } of entries) {
      if (kind !== 'folder' || name === '.git') continue;
      if ((await isEmpty(`${folder}/${name}`, depth + 1)) === undefined) return undefined;
    }
    return false;
  };
  let looked = 0;
  const found: string[] = [];
  for (const folder of candidatesOf(places)) {
    if (folder === '' || folder === unit.prefix) continue;
    const answer = await isEmpty(folder, 0);
    if (answer === undefined) return undefined;
    if (answer) found.push(folder);
  }
  return found;
}

function codeOf(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return code;
}

function candidatesOf(places: ReadonlyMap<string, FileKind | 'gone'>): Set<string> {
  const candidates = new Set<string>();
  for (const [place, kind] of places) {
    if (kind === 'folder') candidates.add(place);
    else if (kind === 'gone') candidates.add(place.slice(0, Math.max(0, place.lastIndexOf('/'))));
  }
  return candidates;
}
