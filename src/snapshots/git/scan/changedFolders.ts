import { errorCode, isGoneCode } from '../../../base/errors.ts';
import { isInside } from '../../common/pathBelow.ts';
import type { FileKind } from '../../common/ports.ts';
import type { Omission } from '../../common/provider.ts';
import { joinPath } from '../../common/posixPath.ts';
import { forcedPaths } from '../rules/forcedPaths.ts';
import { noIndexOf } from './workTree.ts';
import { WorkTreeGit } from './workTreeGit.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { ignoredOmissions, listIgnored } from './untrackedListing.ts';

/** With more folders, a full scan is as fast. */
const MAX_FOLDERS = 200;
/**
 * Added to every query: otherwise git does not report an ignored folder that contains all queried
 * ones.
 */
const NEVER_LISTED = '.git';

/** What some folders contain besides files to store. Paths are relative to the work tree's root. */
export interface FolderListing {
  readonly omissions: readonly Omission[];
  /** Folders without content that are not ignored. */
  readonly empty: readonly string[];
}

type Places = ReadonlyMap<string, FileKind | 'gone'>;

/**
 * Lists changed folders, and folders that are empty now because something in them is gone. Runs git
 * only if there are such folders.
 * @returns undefined if a full scan is needed
 */
export async function listChangedFolders(
  context: ScanContext,
  workTree: WorkTree,
  places: Places,
): Promise<FolderListing | undefined> {
  const emptied = await emptiedFolders(context, workTree, places);
  const changed = [...places].flatMap(([path, kind]) => (kind === 'folder' ? [path] : []));
  if (!emptied || changed.length > MAX_FOLDERS) return undefined;
  const folders = new Set([...changed, ...emptied]);
  if (folders.size === 0) return { omissions: [], empty: [] };
  const git = await WorkTreeGit.for(context, workTree, 'as-before');
  const index = noIndexOf(context);
  const [{ ignored, skipped }, forced] = await Promise.all([
    listIgnored(git, { within: ['--', NEVER_LISTED, ...folders], index }),
    forcedPaths(context, workTree),
  ]);
  const omissions = ignoredOmissions(ignored, forced);
  const leftOut = new Set(omissions.map(({ path }) => path));
  // git runs without an index here, so it also reports ignored folders that contain tracked files.
  for (const path of forced) if (isInside(leftOut, path)) return undefined;
  const found = await walk(context, workTree, folders, skipped);
  if (!found) return undefined;
  for (const path of found.special) omissions.push({ path, reason: 'special' });
  return { omissions, empty: found.empty };
}

/**
 * Finds empty folders and special files. Returns undefined if a folder is unreadable, a repository,
 * or empty with unknown permissions.
 */
async function walk(
  context: ScanContext,
  workTree: WorkTree,
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
    const entries = await listFolder(context, workTree, folder);
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

/**
 * Finds folders that became empty because something in them is gone. Returns undefined if one can't
 * be listed.
 */
async function emptiedFolders(
  context: ScanContext,
  workTree: WorkTree,
  places: Places,
): Promise<string[] | undefined> {
  const around = new Set<string>();
  for (const [place, kind] of places) {
    if (kind === 'gone') around.add(place.slice(0, Math.max(0, place.lastIndexOf('/'))));
  }
  around.delete('');
  around.delete(workTree.prefix);
  if (around.size > MAX_FOLDERS) return undefined;
  const emptied: string[] = [];
  for (const folder of around) {
    const entries = await listFolder(context, workTree, folder);
    if (!entries) return undefined;
    if (entries !== 'gone' && entries.length === 0) emptied.push(folder);
  }
  return emptied;
}

/** Returns `gone` if the folder does not exist, and undefined if it can't be listed. */
async function listFolder({ ports, signal }: ScanContext, workTree: WorkTree, folder: string) {
  signal.throwIfAborted();
  try {
    return await ports.files.list(joinPath(workTree.root, folder));
  } catch (error) {
    const code = errorCode(error);
    // Untested: an error without a code is a bug. It fails the snapshot; the folder is not `gone`.
    if (code === undefined) throw error;
    return isGoneCode(code) ? ('gone' as const) : undefined;
  }
}
