import path from 'node:path';
import { errorCode, messageOf, UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import { FilesInside } from '../../../platform/node/files/filesInside.ts';
import { statIfThere } from '../../../snapshots/common/folders.ts';
import type { FileStat } from '../../../snapshots/common/ports.ts';
import { TreeCopy, type CopySides } from './copyTree.ts';

/** The permissions of new folders on the way to a carried file, before the umask. */
const FOLDER_MODE = 0o777;
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

/**
 * Carries files into a branch. Skips those that the branch has or the original no longer has.
 * Follows no link, on neither side.
 */
export async function carryFiles(request: CarryRequest): Promise<CarriedFiles> {
  const source = await FilesInside.open(request.from);
  try {
    const target = await FilesInside.open(request.to);
    try {
      return await carryBetween({ ...request, source, target });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

type OpenRequest = CarryRequest & CopySides;

async function carryBetween(request: OpenRequest): Promise<CarriedFiles> {
  const { to, paths, mode, signal, onProgress, target } = request;
  const carried: string[] = [];
  const warnings: string[] = [];
  for (const [done, relative] of paths.entries()) {
    signal.throwIfAborted();
    onProgress?.(relative, done, paths.length);
    const found = await findSource(request, relative);
    if (!found) continue;
    try {
      await target.makeFolder(path.dirname(`${to}/${relative}`), FOLDER_MODE);
      if (mode === 'link') await linkTo(request, relative, found);
      else warnings.push(...(await copyWhole(request, relative, found)));
    } catch (error) {
      signal.throwIfAborted();
      throw carryError(relative, error);
    }
    carried.push(relative);
  }
  onProgress?.('', paths.length, paths.length);
  return { carried, warnings };
}

/** Returns undefined if the path is not to be carried. */
async function findSource(
  { from, to, source, target }: OpenRequest,
  relative: string,
): Promise<FileStat | undefined> {
  try {
    if (await statIfThere(target, `${to}/${relative}`)) return undefined;
    return await statIfThere(source, `${from}/${relative}`);
  } catch (error) {
    // A link in the path could lead out of the original or the branch.
    if (errorCode(error) === 'folder-replaced') return undefined;
    throw error;
  }
}

/** @returns warnings */
async function copyWhole(
  request: OpenRequest,
  relative: string,
  { kind }: FileStat,
): Promise<string[]> {
  const copy = new TreeCopy(request);
  await copy.copy(relative);
  const name = plainText(relative, MAX_NAME_LENGTH);
  const warnings: string[] = [];
  if (copy.vanished > 0 && kind === 'folder')
    warnings.push(
      `${copy.vanished} files of ${name} were deleted or replaced while they were copied, and are missing in the branch. Is a build running there?`,
    );
  if (copy.special > 0)
    warnings.push(
      `Pipes, sockets and devices of ${name} were not copied into the branch: ${copy.special}.`,
    );
  return warnings;
}

async function linkTo(
  { from, to, source, target }: OpenRequest,
  relative: string,
  { kind }: FileStat,
): Promise<void> {
  const [original, link] = [`${from}/${relative}`, `${to}/${relative}`];
  if (kind !== 'folder') {
    await target.link(original, link);
    return;
  }
  await target.makeFolder(link, FOLDER_MODE);
  for (const { name } of await source.list(original))
    await target.link(`${original}/${name}`, `${link}/${name}`);
}

function carryError(relative: string, error: unknown): UserError {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
  const name = plainText(relative, MAX_NAME_LENGTH);
  const text = `Can't copy ${name} into the branch: ${messageOf(error)}`;
  return new UserError(isFull ? 'disk-full' : 'carry-failed', text, { cause: error });
}
