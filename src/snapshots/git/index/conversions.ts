import type { UserRepository } from '../worktree/repository.ts';
import { joinZero, pathsOf } from '../../common/zeroSeparated.ts';

/** The attributes that make git convert files when it writes them. */
const CONVERTING = ['text', 'crlf', 'eol', 'filter', 'ident', 'working-tree-encoding'];
const NOT_CONVERTING = new Set(['unspecified', 'unset']);

/** Whether git converts line ends of files without attributes. */
export async function convertsLineEnds(repository: UserRepository): Promise<boolean> {
  const { exitCode, stdout } = await repository.run(['config', '--get', 'core.autocrlf']);
  // Exit code 1: the setting is missing.
  return exitCode !== 1 && new TextDecoder().decode(stdout).trim() !== 'false';
}

/**
 * Selects the paths that git converts: for git, their content may be equal although bytes differ.
 */
export async function convertedPaths(
  repository: UserRepository,
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const args = ['check-attr', '-z', '--stdin', ...CONVERTING];
  const { exitCode, stdout } = await repository.run(args, {
    cwd: folder,
    input: joinZero(paths),
    signal,
  });
  const values = pathsOf(stdout);
  if (exitCode !== 0 || values.length !== paths.length * CONVERTING.length * 3) return paths;
  // git prints `<path> <attribute> <value>` for each pair, in the order of the request.
  return paths.filter((_path, number) =>
    CONVERTING.some((_attribute, at) => {
      const value = values[(number * CONVERTING.length + at) * 3 + 2]!;
      return !NOT_CONVERTING.has(value);
    }),
  );
}
