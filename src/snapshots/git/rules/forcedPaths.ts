import { GitFailure } from '../gitCommand.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import { pathsOf } from '../zeroSeparated.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * What the user's index has although a rule ignores it: that is kept, as git keeps it. Relative to the unit's root. The index is
 * the one that this scan has found when it began.
 */
export async function forcedPaths(
  context: ScanContext,
  unit: WorkTree,
  rules: 'as-before' | 'anew' = 'as-before',
): Promise<ReadonlySet<string>> {
  if (!unit.watch) return NONE;
  const state = unit.watch.last ?? (await unit.watch.read(context.signal));
  const digest = state.index?.digest;
  if (digest === undefined) return NONE;
  const known = unit.memory.forced;
  if (rules === 'as-before' && known?.digest === digest) return known.paths;
  const within = unit.prefix === '' ? [] : ['--', unit.prefix];
  const args = ['ls-files', '-z', '-c', '-i', '--full-name', '--exclude-standard', ...within];
  const found = await unit.watch.repository.readIndex(args, { signal: context.signal }).then(
    ({ stdout }) => new Set(pathsOf(stdout)),
    (error: unknown) => {
      // An index that is damaged keeps nothing.
      // Untested: a bug's error fails the snapshot; nothing counts as ignored.
      if (!(error instanceof GitFailure)) throw error;
      return new Set<string>();
    },
  );
  // The same set stays the same object, so that nobody has to compare it again.
  const isSame =
    known?.paths.size === found.size && [...found].every((path) => known.paths.has(path));
  const paths = isSame ? known.paths : found;
  unit.memory.forced = { digest, paths };
  return paths;
}
