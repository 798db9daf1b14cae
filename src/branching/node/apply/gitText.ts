import { nodeExec } from '../../../platform/node/processes/exec.ts';
import { runGit } from '../../../snapshots/git/gitCommand.ts';

/** Limits the list of commits: nothing in the UI or the CLI shows more. */
const MAX_COMMITS = 1000;

/** The output of git in a folder, without side effects; undefined when git fails. */
export async function gitText(
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
  input?: string,
): Promise<string | undefined> {
  const { exitCode, stdout } = await runGit(nodeExec, args, {
    cwd,
    signal,
    ...(input !== undefined && { input: Buffer.from(input) }),
  });
  return exitCode === 0 ? Buffer.from(stdout).toString() : undefined;
}

/**
 * Abbreviated ID and subject of each commit, newest first.
 * @param from revisions to start from
 * @param listed IDs of commits, one per line, which may be missing in this repository: `past` are
 * further commits to start from; `known` are left out with all their ancestors
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
