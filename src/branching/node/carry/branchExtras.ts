import { statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import type { BranchKind } from '../../common/branchRecord.ts';
import { missingFiles } from '../../common/missingFiles.ts';
import { unlinkedRepositories } from '../../common/unlinkedRepositories.ts';
import { allOmissions } from '../../../snapshots/common/allOmissions.ts';
import type { KeptRepository, Omission } from '../../../snapshots/common/provider.ts';
import type { KeptFiles, SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { nonRelocatableMarker, nonRelocatableFoldersIn } from './nonRelocatableFolders.ts';
import type { CarryMode } from './carryFiles.ts';
import { detachedRepositoryWarning } from '../plan/detachedRepositoryWarning.ts';
import { nestedRepositories } from '../make/separateRepository.ts';
import { wantedFiles } from './wantedFiles.ts';

const MAX_NAME_LENGTH = 80;

export interface BranchExtrasRequest {
  readonly kind: BranchKind;
  /** Patterns. */
  readonly carried: readonly string[];
  /** A person has named them for this branch, and wants to know of those that nothing fits. */
  readonly isCarriedNamed?: boolean;
  readonly carryMode: CarryMode;
  /** Of which the snapshot has HEAD and index. */
  readonly repositories: readonly KeptRepository[];
  readonly signal: AbortSignal;
}

/** What a branch gets beside the files of its snapshot, and what a person has to know of its files. */
export interface BranchExtras {
  /** Relative to the workspace. */
  readonly carried: readonly string[];
  /** Sentences. */
  readonly warnings: readonly string[];
  /** Folders of the snapshot that may be repositories, where they can be looked at before it is copied. */
  readonly repositories?: readonly string[];
}

/** Writes nothing. */
export async function branchExtras(
  files: SessionFiles,
  kept: KeptFiles,
  request: BranchExtrasRequest,
): Promise<BranchExtras> {
  const { kind, carried: patterns, isCarriedNamed = false, carryMode, signal } = request;
  const missing = missingFiles(kept.omissions, kind);
  if (kind === 'in-place') return { carried: [], warnings: missing };
  const { omissions, unknown } = await leftOut(files, kept, signal);
  const { paths: wanted, inVain } = await wantedFiles(files.workspace, omissions, patterns, signal);
  const bound = await boundAtTop(files, { ...kept, omissions });
  // Who links the original's own knows that it is the original's.
  const left = carryMode === 'copy' ? await boundAmong(files.workspace, wanted) : [];
  const isLeft = (each: string) => left.some((folder) => `${each}/`.startsWith(`${folder}/`));
  const carried = wanted.filter((each) => !isLeft(each));
  const ignored = bound.ignored.filter((name) => !carried.includes(name));
  const { folder } = await (await files.provider()).open(kept.ref);
  return {
    carried,
    ...(folder !== undefined && { repositories: nestedRepositories(folder) }),
    warnings: [
      ...missing,
      ...unknown,
      // What has a folder has what is ignored, too.
      ...(isCarriedNamed && folder === undefined ? inVain : []),
      ...bound.kept.map(boundText),
      ...[...new Set([...left, ...ignored])].map(leftText),
      ...unlinkedRepositories(request.repositories),
      // Only a copy of all that is in a folder has what leads out of it.
      ...(folder === undefined ? [] : await detachedRepositoryWarning(files.workspace)),
    ],
  };
}

/** What the snapshot does not have; and in words, when that cannot be said of all that is ignored. */
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
    const text = `Some of what is ignored may not be brought along, for git does not say all of it: ${error.message}`;
    return { omissions, unknown: [text] };
  }
}

/** Folders that are bound to their place, of those that are to come along or that something is in which is. */
async function boundAmong(workspace: string, paths: readonly string[]): Promise<string[]> {
  const isFolder = (each: string) => isFolderAt(path.join(workspace, each));
  const folders = new Set([...paths.flatMap(foldersAbove), ...paths.filter(isFolder)]);
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const isBound = (await nonRelocatableMarker(path.join(workspace, folder))) !== undefined;
      return isBound ? [folder] : [];
    }),
  );
  return found.flat();
}

/** There may be as many files as a build makes: one look at each is enough. */
function isFolderAt(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}

function foldersAbove(relative: string): string[] {
  const names = relative.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Of the folders at the top that are bound to their place, those that the snapshot has, and those that it ignored. */
async function boundAtTop(
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
        () => false,
      ),
    ),
  );
  const names = found.map(({ name }) => name);
  return {
    kept: names.filter((_, at) => isWithin[at]),
    ignored: names.filter((name) => omitted.has(name)),
  };
}

function boundText(name: string): string {
  return `${plainText(name, MAX_NAME_LENGTH)} has its place in the original written into it: what is run from it works there. Make it anew in the branch before you use it.`;
}

function leftText(name: string): string {
  return `${plainText(name, MAX_NAME_LENGTH)} is not brought along: it has its place in the original written into it, and what is run from it would work there. Make it anew in the branch.`;
}
