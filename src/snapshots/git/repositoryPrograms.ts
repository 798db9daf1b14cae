import type { GitRun } from './gitCommand.ts';
import type { ExecResult } from '../common/ports.ts';
import { pathsOf } from '../common/zeroSeparated.ts';

/** Settings whose values are programs that git runs when it compares, checks out or merges files. */
const PROGRAMS = String.raw`^(filter\..*\.(clean|smudge|process)|merge\..*\.driver|gpg\.(.*\.)?program)$`;

type RunGit = (args: readonly string[], run: Partial<GitRun>) => Promise<ExecResult>;

/**
 * Names of the settings by which a repository itself, not its user, makes git run programs. An
 * agent that works in the repository can write them.
 */
export async function ownPrograms(run: RunGit, cwd: string, signal?: AbortSignal) {
  const args = ['config', '-z', '--show-scope', '--name-only', '--get-regexp', PROGRAMS];
  const { stdout } = await run(args, { cwd, signal });
  // git prints scopes and names alternately.
  const answers = pathsOf(stdout);
  const isOwn = (scope: string | undefined) => scope === 'local' || scope === 'worktree';
  return [...new Set(answers.filter((_, at) => at % 2 === 1 && isOwn(answers[at - 1])))];
}

/** Options with which git runs none of these programs, and reads the bytes as they are. */
export function withoutPrograms(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => {
    const driver = /^(filter\..*)\.[^.]*$/s.exec(setting)?.[1];
    const required = driver === undefined ? [] : ['-c', `${driver}.required=false`];
    return ['-c', `${setting}=`, ...required];
  });
}
