import { GitFailure } from '../gitCommand.ts';
import type { ScanContext, WorkTree } from '../scan/workTree.ts';
import { pathsOf } from '../../common/zeroSeparated.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the ignored paths that the user's index tracks (`git add --force`): snapshots include
 * them, as git does. Relative to the work tree's root. Uses the user's index as it was when this
 * scan started.
 */
export async function forcedPaths(
  context: ScanContext,
  workTree: WorkTree,
  rules: 'as-before' | 'anew' = 'as-before',
): Promise<ReadonlySet<string>> {
  if (!workTree.watch) return NONE;
  const state = workTree.watch.last ?? (await workTree.watch.read(context.signal));
  const digest = state.index?.digest;
  if (digest === undefined) return NONE;
  const known = workTree.memory.forced;
  if (rules === 'as-before' && known?.digest === digest) return known.paths;
  const within = workTree.prefix === '' ? [] : ['--', workTree.prefix];
  const args = ['ls-files', '-z', '-c', '-i', '--full-name', '--exclude-standard', ...within];
  const found = await workTree.watch.repository.readIndex(args, { signal: context.signal }).then(
    ({ stdout }) => new Set(pathsOf(stdout)),
    (error: unknown) => {
      // A damaged index tracks nothing.
      // Untested: any other error is a bug and fails the snapshot; nothing counts as ignored.
      if (!(error instanceof GitFailure)) throw error;
      return new Set<string>();
    },
  );
  // Return the same set if it is equal, so that callers can compare by identity.
  const isSame =
    known?.paths.size === found.size && [...found].every((path) => known.paths.has(path));
  const paths = isSame ? known.paths : found;
  workTree.memory.forced = { digest, paths };
  return paths;
}
