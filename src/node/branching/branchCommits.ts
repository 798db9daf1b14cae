import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import { nodeExec } from '../processes/exec.ts';

/** More are not named one by one by anybody. */
const MAX_COMMITS = 1000;

/** What was committed in the branch and is nowhere else in the original's repository, the newest first. */
export async function commitsOfBranch(
  { workspace, from }: BranchRecord,
  signal: AbortSignal,
): Promise<string[]> {
  const known = await git(
    from.workspace,
    ['rev-parse', '--branches', '--tags', '--remotes', 'HEAD'],
    signal,
  );
  if (known === undefined) return [];
  // What the original has and the branch's repository has not cannot be left out, and need not be.
  const args = [
    'log',
    '-z',
    '--format=%h %s',
    `--max-count=${MAX_COMMITS}`,
    '--ignore-missing',
    'HEAD',
    '--stdin',
  ];
  const text = await git(workspace, args, signal, known.replace(/^(?=.)/gm, '^'));
  return text === undefined ? [] : text.split('\0').filter((line) => line !== '');
}

/** Merges what was committed in a branch into what the original's folder has checked out. @throws UserError */
export async function mergeBranch(record: BranchRecord, signal: AbortSignal): Promise<string> {
  const { workspace, from, name } = record;
  const status = await git(workspace, ['status', '--porcelain', '-z'], signal);
  if (status === undefined) {
    throw new UserError(
      'no-repository',
      `${workspace} is no git working tree: apply the changes instead.`,
    );
  }
  if (status !== '') {
    throw new UserError(
      'uncommitted',
      `The branch has changes that are not committed. Commit them in ${workspace}, or apply the changes instead.`,
    );
  }
  const head = (await git(workspace, ['rev-parse', '--verify', 'HEAD'], signal))?.trim();
  if (!head || (await commitsOfBranch(record, signal)).length === 0) {
    throw new UserError('nothing-committed', 'Nothing was committed in the branch.');
  }
  // A clone has a repository of its own, whose objects have to come over first.
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', workspace, head];
  const isThere = await git(from.workspace, ['cat-file', '-e', `${head}^{commit}`], signal);
  if (isThere === undefined && (await git(from.workspace, fetch, signal)) === undefined) {
    throw new UserError('fetch-failed', `The commits of ${workspace} cannot be fetched.`);
  }
  const merge = ['merge', '--no-edit', '-m', `Merge branch “${name}”`, head];
  const { exitCode, stdout, stderr } = await nodeExec('git', merge, {
    cwd: from.workspace,
    signal,
  });
  const said = `${Buffer.from(stdout).toString()}${stderr}`.trim();
  if (exitCode === 0) return said;
  throw new UserError('merge-failed', `git could not merge it by itself: ${said}`);
}

/** Undefined when it fails. */
async function git(
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
