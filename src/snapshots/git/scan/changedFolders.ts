import { isInside } from '../../common/pathBelow.ts';
import type { FileKind } from '../../common/ports.ts';
import type { Omission } from '../../common/provider.ts';
import { errorCode, saysGone } from '../../volume/errorCode.ts';
import { joinPath } from '../../common/posixPath.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { noIndexOf, WorkTreeGit } from './workTree.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { ignoredOmissions, listIgnored } from './untrackedListing.ts';

/** Beyond that a scan is as fast. */
const MAX_FOLDERS = 200;
/** Asked for nothing but what is further below an ignored folder, git would fail to name that folder. */
const NEVER_LISTED = '.git';

/** What there is in some folders beside files to keep, as a scan says it. Paths are relative to the unit's root. */
export interface FoldersSight {
  readonly omissions: readonly Omission[];
  /** With nothing in them, and not ignored. */
  readonly empty: readonly string[];
}

type Places = ReadonlyMap<string, FileKind | 'gone'>;

/**
 * Looks into the folders among some places, and at those around what is gone. Without any of them, git is not asked.
 * @returns undefined when only a scan can tell
 */
export async function lookIntoFolders(
  context: ScanContext,
  unit: WorkTree,
  places: Places,
): Promise<FoldersSight | undefined> {
  const emptied = await emptiedFolders(context, unit, places);
  const told = [...places].flatMap(([path, kind]) => (kind === 'folder' ? [path] : []));
  if (!emptied || told.length > MAX_FOLDERS) return undefined;
  const folders = new Set([...told, ...emptied]);
  if (folders.size === 0) return { omissions: [], empty: [] };
  const own = await WorkTreeGit.for(context, unit, 'as-before');
  const index = noIndexOf(context);
  const [{ ignored, skipped }, forced] = await Promise.all([
    listIgnored(own, { within: ['--', NEVER_LISTED, ...folders], index }),
    forcedPaths(context, unit),
  ]);
  const omissions = ignoredOmissions(ignored, forced);
  const leftOut = new Set(omissions.map(({ path }) => path));
  // Without an index a folder is named in one, that has something to keep in it all the same.
  for (const path of forced) if (isInside(leftOut, path)) return undefined;
  const found = await walk(context, unit, folders, skipped);
  if (!found) return undefined;
  for (const path of found.special) omissions.push({ path, reason: 'special' });
  return { omissions, empty: found.empty };
}

/** Undefined when one of them may not be listed, is a repository, or is empty and its permissions are not known. */
async function walk(
  context: ScanContext,
  unit: WorkTree,
  folders: ReadonlySet<string>,
  skipped: ReadonlySet<string>,
): Promise<{ readonly empty: string[]; readonly special: string[] } | undefined> {
  const empty: string[] = [];
  const special: string[] = [];
  const seen = new Set<string>();
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder) || isInside(skipped, folder)) continue;
    seen.add(folder);
    if (seen.size > MAX_FOLDERS) return undefined;
    const entries = await listFolder(context, unit, folder);
    if (!entries) return undefined;
    if (entries === 'gone') continue;
    if (entries.length === 0) {
      if (!folders.has(folder)) return undefined;
      empty.push(folder);
    }
    for (const { name, kind } of entries) {
      if (name === '.git') return undefined;
      if (kind === 'other') special.push(`${folder}/${name}`);
      else if (kind === 'folder') waiting.push(`${folder}/${name}`);
    }
  }
  return { empty, special };
}

/** Those that have nothing in them since something there is gone. Undefined when one of them may not be listed. */
async function emptiedFolders(
  context: ScanContext,
  unit: WorkTree,
  places: Places,
): Promise<string[] | undefined> {
  const around = new Set<string>();
  for (const [place, kind] of places) {
    if (kind === 'gone') around.add(place.slice(0, Math.max(0, place.lastIndexOf('/'))));
  }
  around.delete('');
  around.delete(unit.prefix);
  if (around.size > MAX_FOLDERS) return undefined;
  const emptied: string[] = [];
  for (const folder of around) {
    const entries = await listFolder(context, unit, folder);
    if (!entries) return undefined;
    if (entries !== 'gone' && entries.length === 0) emptied.push(folder);
  }
  return emptied;
}

/** One that is gone meanwhile is not empty; any other that cannot be listed is a scan's to name. */
async function listFolder({ ports, signal }: ScanContext, unit: WorkTree, folder: string) {
  signal.throwIfAborted();
  try {
    return await ports.files.list(joinPath(unit.root, folder));
  } catch (error) {
    const code = errorCode(error);
    // Untested: a bug's error fails the snapshot; no folder counts as gone.
    if (code === undefined) throw error;
    return saysGone(code) ? ('gone' as const) : undefined;
  }
}
