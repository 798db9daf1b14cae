import { lstat, mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { plainText } from '../../../base/plainText.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { isThere } from '../branchPlace.ts';
import { copyTrees } from './copyTrees.ts';

const MAX_NAME_LENGTH = 80;

/**
 * `copy`: sharing blocks where the disk can. `link`: the branch uses the original's own, and what it changes there is changed for
 * both. A folder is one of its own with a link to each thing in it: git takes a link for no folder, and a rule such as
 * `node_modules/` would not hide it.
 */
export type CarryMode = 'copy' | 'link';

export interface CarryRequest {
  readonly from: string;
  readonly to: string;
  /** Relative to both. */
  readonly paths: readonly string[];
  readonly mode: CarryMode;
  readonly signal: AbortSignal;
  readonly onProgress?: ((path: string, done: number, total: number) => void) | undefined;
}

export interface CarriedFiles {
  /** Relative to both. */
  readonly carried: readonly string[];
  /** Sentences. */
  readonly warnings: readonly string[];
}

/** Brings along what a snapshot does not have. What the branch has already, or the original no longer, is passed over. */
export async function carryFiles(request: CarryRequest): Promise<CarriedFiles> {
  const { from, to, paths, mode, signal, onProgress } = request;
  const carried: string[] = [];
  const warnings: string[] = [];
  let done = 0;
  for (const together of copiedTogether(paths)) {
    const found: string[] = [];
    for (const relative of together) {
      signal.throwIfAborted();
      onProgress?.(relative, done++, paths.length);
      if (await canCome(path.join(from, relative), path.join(to, relative), request))
        found.push(relative);
    }
    if (found.length === 0) continue;
    const folder = path.join(to, path.dirname(found[0]!));
    await mkdir(folder, { recursive: true });
    const sources = found.map((relative) => path.join(from, relative));
    if (mode === 'link') for (const source of sources) await linkTo(source, folder);
    else warnings.push(...vanishedText(found, await copyTrees(sources, folder, signal)));
    carried.push(...found);
  }
  onProgress?.('', paths.length, paths.length);
  return { carried, warnings };
}

/**
 * Of a folder that is there, as where a rule leaves out all but one of its files, what is in it comes along together; what is
 * at the top by itself, for it is what takes time, and is said one by one.
 */
function copiedTogether(paths: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const relative of paths) {
    const folder = path.dirname(relative);
    const key = folder === '.' ? `./${relative}` : folder;
    const group = groups.get(key);
    if (group) group.push(relative);
    else groups.set(key, [relative]);
  }
  return [...groups.values()];
}

async function canCome(
  source: string,
  target: string,
  { from, to }: CarryRequest,
): Promise<boolean> {
  if (!isThere(source) || isThere(target)) return false;
  // A link on the way would lead out of the folders that this is about.
  return (await isReallyWithin(from, source)) && (await isReallyWithin(to, target));
}

function vanishedText(paths: readonly string[], count: number): string[] {
  if (count === 0) return [];
  const what = paths.length === 1 ? paths[0]! : path.dirname(paths[0]!);
  return [
    `While ${plainText(what, MAX_NAME_LENGTH)} was brought along, ${count} of its files went away or were replaced: they are not in the branch. Something may be building there.`,
  ];
}

async function linkTo(source: string, folder: string): Promise<void> {
  const target = path.join(folder, path.basename(source));
  if (!(await lstat(source)).isDirectory()) {
    await symlink(source, target);
    return;
  }
  await mkdir(target);
  for (const name of await readdir(source)) {
    await symlink(path.join(source, name), path.join(target, name));
  }
}

async function isReallyWithin(root: string, file: string): Promise<boolean> {
  let folder = path.dirname(file);
  while (!isThere(folder)) folder = path.dirname(folder);
  if (!isWithin(await realpath(root), await realpath(folder))) return false;
  return (await stat(folder)).isDirectory();
}
