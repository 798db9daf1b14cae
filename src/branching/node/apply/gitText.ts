import { nodeExec } from '../../../platform/node/processes/exec.ts';

/** Limits the list: nothing shows more commits. */
const MAX_COMMITS = 1000;

/** The output of git in a folder; undefined when git fails. */
export async function gitText(
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
  input?: string,
): Promise<string | undefined> {
  const { exitCode, stdout } = await nodeExec('git', ['--no-optional-locks', ...args], {
    cwd,
    signal,
    ...(input !== undefined && { input: Buffer.from(input) }),
  });
  return exitCode === 0 ? Buffer.from(stdout).toString() : undefined;
}

/**
 * The first line of each commit, newest first.
 * @param from revisions to start from
 * @param listed lists of commits, one per line, which need not exist: `past` are more revisions to
 * start from; `known` are left out with all their ancestors
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
