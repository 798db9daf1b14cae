import { realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import { carriedPaths, CarryPattern, isMatched, outermost } from '../../common/carriedFiles.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import { ignoredPaths, isInRepository } from './ignoredPaths.ts';
import { searchIgnoredFolders } from './searchIgnoredFolders.ts';

const MAX_NAME_LENGTH = 80;

export interface FoundFiles {
  /** Paths to carry, relative to the workspace. */
  readonly paths: readonly string[];
  /** A sentence for each pattern without a match. */
  readonly unmatched: readonly string[];
}

/** Finds the ignored files that match the patterns, including files inside ignored folders. */
export async function findCarried(
  workspace: string,
  omissions: readonly Omission[],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const patterns = texts.filter((text) => text !== '').map((text) => new CarryPattern(text));
  const { carried, others } = carriedPaths(omissions, patterns);
  const inside = searchIgnoredFolders(workspace, others, patterns);
  const paths = outermost([
    ...carried,
    ...inside.matches,
    ...(await ignoredByOwnRule(workspace, inside.folders, signal)),
  ]);
  const unmatched = patterns.filter((pattern) => !paths.some((each) => isMatched(each, [pattern])));
  return { paths, unmatched: unmatched.map((pattern) => unmatchedText(pattern, inside.isCut)) };
}

/**
 * The folders that an ignore rule names, such as `ui/dist`, rather than those that are ignored only
 * because they are inside an ignored folder, such as a cache.
 */
async function ignoredByOwnRule(
  workspace: string,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (folders.length === 0) return [];
  const place = { folder: realpathSync(workspace), top: path.parse(workspace).root };
  if (!isInRepository(place)) return [];
  try {
    const parents = [...new Set(folders.map((each) => path.posix.dirname(each)))];
    const parts = await ignoredPaths(place, parents, signal);
    return folders.filter((each) => !parts.has(path.posix.dirname(each)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return []; // git failed; planExtras warns about that.
  }
}

function unmatchedText({ text, isPath }: CarryPattern, isCut: boolean): string {
  const more =
    isCut && !isPath
      ? ' Ignored folders were searched only in part: if the file is in one of them, give its path.'
      : '';
  return `No ignored file matches ${plainText(text, MAX_NAME_LENGTH)}.${more}`;
}
