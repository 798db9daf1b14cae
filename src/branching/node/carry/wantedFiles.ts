import { realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import { carriedPaths, CarryPattern, isMeant, outermost } from '../../common/carriedFiles.ts';
import type { Omission } from '../../../snapshots/common/provider.ts';
import { ignoredPaths, isInRepository } from './ignoredPaths.ts';
import { searchIgnoredFolders } from './searchIgnoredFolders.ts';

const MAX_NAME_LENGTH = 80;

export interface WantedFiles {
  /** Relative to the workspace. */
  readonly paths: readonly string[];
  /** A sentence for each pattern that nothing fits. */
  readonly inVain: readonly string[];
}

/** Which ignored files are to come along, in ignored folders too. */
export async function wantedFiles(
  workspace: string,
  omissions: readonly Omission[],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<WantedFiles> {
  const patterns = texts.filter((text) => text !== '').map((text) => new CarryPattern(text));
  const { carried, others } = carriedPaths(omissions, patterns);
  const inside = searchIgnoredFolders(workspace, others, patterns);
  const paths = outermost([
    ...carried,
    ...inside.meant,
    ...(await ignoredThemselves(workspace, inside.folders, signal)),
  ]);
  const unmet = patterns.filter((pattern) => !paths.some((each) => isMeant(each, [pattern])));
  return { paths, inVain: unmet.map((pattern) => inVainText(pattern, inside.isCut)) };
}

/**
 * Of folders that have the name of one that comes along, those that are ignored for themselves, as `ui/dist` where nothing else is
 * in `ui`. In a folder that is ignored as a whole, as a cache, they are a part of that.
 */
async function ignoredThemselves(
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
    return [];
  }
}

function inVainText({ text, isPath }: CarryPattern, isCut: boolean): string {
  const more =
    isCut && !isPath
      ? ' Ignored folders were looked through in part: say its path if it is in one of them.'
      : '';
  return `Nothing that is ignored is called ${plainText(text, MAX_NAME_LENGTH)}: nothing is brought along for it.${more}`;
}
