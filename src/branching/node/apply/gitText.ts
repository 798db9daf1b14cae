import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** More are not named one by one by anybody. */
const MAX_COMMITS = 1000;

/** What git says in a folder; undefined when it fails. */
export async function gitText(
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
  input?: string,
): Promise<string | undefined> {
  const { exitCode, stdout } = await nodeExec('git', ['--no-optional-locks', ...args], {
    ...{ cwd, signal },
    ...(input !== undefined && { input: Buffer.from(input) }),
  });
  return exitCode === 0 ? Buffer.from(stdout).toString() : undefined;
}

/**
 * The first line of each commit, the newest first.
 * @param from what they are reached from
 * @param listed commits, a line each, which the repository need not have: `past` are more to begin at, `known` are left out with
 * all before them
 */
export async function gitLog(
  cwd: string,
  from: readonly string[],
  signal: AbortSignal,
  { known, past = '' }: { readonly known: string; readonly past?: string },
): Promise<string[]> {
  const args = ['log', '-z', '--format=%h %s', `--max-count=${MAX_COMMITS}`, '--ignore-missing'];
  const input = `${past}${known.replace(/^(?=.)/gm, '^')}`;
  const text = await gitText(cwd, [...args, ...from, '--stdin'], signal, input);
  return text === undefined ? [] : text.split('\0').filter((line) => line !== '');
}
