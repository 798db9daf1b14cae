import { statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import type { BranchKind } from '../../common/branchRecord.ts';
import { missingFiles } from '../../common/missingFiles.ts';
import { unlinkedRepositories } from '../../common/unlinkedRepositories.ts';
import { allOmissions } from '../../../snapshots/common/allOmissions.ts';
import type { KeptRepository, Omission } from '../../../snapshots/common/provider.ts';
import type { KeptFiles } from '../../../snapshots/common/snapshotLine.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { nonRelocatableMarker, nonRelocatableFoldersIn } from './nonRelocatableFolders.ts';
import type { CarryMode } from './carryFiles.ts';
import { detachedRepositoryWarning } from '../plan/detachedRepositoryWarning.ts';
import { nestedRepositories } from '../make/separateRepository.ts';
import { findCarried } from './findCarried.ts';

const MAX_NAME_LENGTH = 80;

export interface BranchExtrasRequest {
  readonly kind: BranchKind;
  /** Patterns of ignored files to carry. */
  readonly carried: readonly string[];
  /**
   * Whether the user named the patterns for this branch; patterns without a match then get a
   * warning.
   */
  readonly isCarriedNamed?: boolean;
  readonly carryMode: CarryMode;
  /** The repositories whose HEAD and index are in the snapshot. */
  readonly repositories: readonly KeptRepository[];
  readonly signal: AbortSignal;
}

/** What a branch gets besides the files of its snapshot, and warnings about its files. */
export interface BranchExtras {
  /** Paths of ignored files to carry, relative to the workspace. */
  readonly carried: readonly string[];
  /** Each warning is a sentence. */
  readonly warnings: readonly string[];
  /** Nested repositories in the snapshot; undefined if they are known only after copying. */
  readonly repositories?: readonly string[];
}

/** Plans the extras; writes nothing. */
export async function planExtras(
  files: SessionFiles,
  kept: KeptFiles,
  request: BranchExtrasRequest,
): Promise<BranchExtras> {
  const { kind, carried: patterns, isCarriedNamed = false, carryMode, signal } = request;
  const missing = missingFiles(kept.omissions, kind);
  if (kind === 'in-place') return { carried: [], warnings: missing };
  const { omissions, unknown } = await leftOut(files, kept, signal);
  const wanted = await findCarried(files.workspace, omissions, patterns, signal);
  const fixed = await nonRelocatableAtTop(files, { ...kept, omissions });
  // Linked folders stay in the original, so absolute paths in them remain correct.
  const left = carryMode === 'copy' ? await nonRelocatableAmong(files.workspace, wanted.paths) : [];
  const isLeft = (each: string) => left.some((folder) => `${each}/`.startsWith(`${folder}/`));
  const carried = wanted.paths.filter((each) => !isLeft(each));
  const ignored = fixed.ignored.filter((name) => !carried.includes(name));
  const { folder } = await (await files.provider()).open(kept.ref);
  return {
    carried,
    ...(folder !== undefined && { repositories: nestedRepositories(folder) }),
    warnings: [
      ...missing,
      ...unknown,
      // The copy of a whole folder contains the ignored files already.
      ...(isCarriedNamed && folder === undefined ? wanted.unmatched : []),
      ...fixed.kept.map(keptText),
      ...[...new Set([...left, ...ignored])].map(leftText),
      ...unlinkedRepositories(request.repositories),
      // Only the copy of a whole folder contains a `.git` that may point elsewhere.
      ...(folder === undefined ? [] : await detachedRepositoryWarning(files.workspace)),
    ],
  };
}

/** The files that the snapshot lacks, and a warning when git can't list all ignored files. */
async function leftOut(
  files: SessionFiles,
  { omissions }: KeptFiles,
  signal: AbortSignal,
): Promise<{ omissions: readonly Omission[]; unknown: readonly string[] }> {
  try {
    return {
      omissions: await allOmissions(omissions, await files.provider(), signal),
      unknown: [],
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const text = `Some ignored files may be missing in the branch, because git can't list all of them: ${error.message}`;
    return { omissions, unknown: [text] };
  }
}

/** Non-relocatable folders among the paths and their parent folders. */
async function nonRelocatableAmong(workspace: string, paths: readonly string[]): Promise<string[]> {
  const isFolder = (each: string) => isFolderAt(path.join(workspace, each));
  const folders = new Set([...paths.flatMap(foldersAbove), ...paths.filter(isFolder)]);
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const marker = await nonRelocatableMarker(path.join(workspace, folder));
      return marker === undefined ? [] : [folder];
    }),
  );
  return found.flat();
}

/** Synchronous, which is faster for the thousands of files that a build may leave. */
function isFolderAt(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false; // The path no longer exists.
  }
}

function foldersAbove(relative: string): string[] {
  const names = relative.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Non-relocatable folders at the top level of the workspace: those that the snapshot contains, and
 * those that it ignored.
 */
async function nonRelocatableAtTop(
  files: SessionFiles,
  { ref, omissions }: KeptFiles,
): Promise<{ kept: string[]; ignored: string[] }> {
  const found = await nonRelocatableFoldersIn(files.workspace);
  if (found.length === 0) return { kept: [], ignored: [] };
  const omitted = new Set(omissions.map((omission) => omission.path.replace(/\/+$/, '')));
  const tree = await (await files.provider()).open(ref);
  const isWithin = await Promise.all(
    found.map(({ name, marker }) =>
      tree.stat(`${name}/${marker}`).then(
        () => true,
        () => false, // Not in the snapshot.
      ),
    ),
  );
  const names = found.map(({ name }) => name);
  return {
    kept: names.filter((_, at) => isWithin[at]),
    ignored: names.filter((name) => omitted.has(name)),
  };
}

function keptText(name: string): string {
  return `${plainText(name, MAX_NAME_LENGTH)} contains absolute paths: programs in it would change the original. Create it again in the branch before you use it.`;
}

function leftText(name: string): string {
  return `${plainText(name, MAX_NAME_LENGTH)} is not copied, because it contains absolute paths: programs in it would change the original. Create it again in the branch.`;
}
