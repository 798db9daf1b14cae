import type { UserRepository } from '../worktree/repository.ts';
import { joinZero, pathsOf } from '../zeroSeparated.ts';

/** By which git writes a file other than it keeps it. */
const CONVERTING = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'];
const NOT_CONVERTING = new Set(['unspecified', 'unset']);

/** Whether git converts the line ends of files that nobody has said anything about. */
export async function convertsLineEnds(repository: UserRepository): Promise<boolean> {
  const { exitCode, stdout } = await repository.run(['config', '--get', 'core.autocrlf']);
  // 1: it is not set.
  return exitCode !== 1 && new TextDecoder().decode(stdout).trim() !== 'false';
}

/** Those that git converts when it writes them, by what their attributes say: other contents may mean the same there. */
export async function convertedPaths(
  repository: UserRepository,
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const args = ['check-attr', '-z', '--stdin', ...CONVERTING];
  const { exitCode, stdout } = await repository.run(args, {
    ...{ cwd: folder, input: joinZero(paths), signal },
  });
  const said = pathsOf(stdout);
  if (exitCode !== 0 || said.length !== paths.length * CONVERTING.length * 3) return paths;
  // `<path> <attribute> <value>`, in the order in which they were asked for.
  return paths.filter((_path, number) =>
    CONVERTING.some((_attribute, at) => {
      const value = said[(number * CONVERTING.length + at) * 3 + 2]!;
      return !NOT_CONVERTING.has(value);
    }),
  );
}
