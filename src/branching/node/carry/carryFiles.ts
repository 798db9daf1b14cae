import { lstat, mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { plainText } from '../../../base/plainText.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { pathExists } from '../branchPlace.ts';
import { copyTrees } from './copyTrees.ts';

const MAX_NAME_LENGTH = 80;

/**
 * `copy`: copies files, sharing blocks if the file system can. `link`: the branch uses the
 * original's files, so changes affect both. For a linked folder, a real folder with a link to each
 * entry is created, because an ignore rule such as `node_modules/` does not match a link.
 */
export type CarryMode = 'copy' | 'link';

export interface CarryRequest {
  readonly from: string;
  readonly to: string;
  /** Paths relative to both `from` and `to`. */
  readonly paths: readonly string[];
  readonly mode: CarryMode;
  readonly signal: AbortSignal;
  readonly onProgress?: ((path: string, done: number, total: number) => void) | undefined;
}

export interface CarriedFiles {
  /** Paths relative to both `from` and `to`. */
  readonly carried: readonly string[];
  /** Each warning is a sentence. */
  readonly warnings: readonly string[];
}

/** Carries files into a branch. Skips those that the branch has or the original no longer has. */
export async function carryFiles(request: CarryRequest): Promise<CarriedFiles> {
  const { from, to, paths, mode, signal, onProgress } = request;
  const carried: string[] = [];
  const warnings: string[] = [];
  let done = 0;
  for (const group of groupByFolder(paths)) {
    const found: string[] = [];
    for (const relative of group) {
      signal.throwIfAborted();
      onProgress?.(relative, done++, paths.length);
      if (await canCarry(path.join(from, relative), path.join(to, relative), request))
        found.push(relative);
    }
    const [first] = found;
    if (first === undefined) continue;
    const folder = path.join(to, path.dirname(first));
    await mkdir(folder, { recursive: true });
    const sources = found.map((relative) => path.join(from, relative));
    if (mode === 'link') for (const source of sources) await linkTo(source, folder);
    else {
      const vanished = await copyTrees(sources, folder, signal);
      if (vanished > 0)
        warnings.push(vanishedText(found.length === 1 ? first : path.dirname(first), vanished));
    }
    carried.push(...found);
  }
  onProgress?.('', paths.length, paths.length);
  return { carried, warnings };
}

/**
 * Groups paths by folder to copy each group together. Each path at the top level is a group of its
 * own, because it may be a large folder that deserves its own progress message.
 */
function groupByFolder(paths: readonly string[]): string[][] {
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

async function canCarry(
  source: string,
  target: string,
  { from, to }: CarryRequest,
): Promise<boolean> {
  if (!pathExists(source) || pathExists(target)) return false;
  // A link in the path could lead outside of the original or the branch.
  return (await isReallyWithin(from, source)) && (await isReallyWithin(to, target));
}

function vanishedText(copied: string, count: number): string {
  return `${count} files of ${plainText(copied, MAX_NAME_LENGTH)} were deleted or replaced while they were copied, and are missing in the branch. Is a build running there?`;
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
  while (!pathExists(folder)) folder = path.dirname(folder);
  if (!isWithin(await realpath(root), await realpath(folder))) return false;
  return (await stat(folder)).isDirectory();
}
