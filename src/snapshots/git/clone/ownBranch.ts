import { errorCode } from '../../volume/errorCode.ts';
import { baseName, joinPath, parentOf } from '../../common/posixPath.ts';
import type { ExecResult } from '../../common/ports.ts';
import { runGit } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from '../worktree/repository.ts';

/** In the folder of a repository that describes a working tree: the branch that was made for it alone. */
export const OWN_BRANCH_FILE = 'ah-branch';

/**
 * Where there is no commit yet, HEAD cannot be detached: the first commit in a clone needs a branch. It has the name of the
 * folder that describes the working tree, which no other clone has.
 */
export function ownBranch(link: string): string {
  return `refs/heads/${baseName(link)}`;
}

export async function isBranchFree(repository: UserRepository, branch: string): Promise<boolean> {
  // What is below it would be in the way too.
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', branch];
  return (await repository.git(args)).stdout.length === 0;
}

/** It goes with the clone, unless the user has gone over to it elsewhere. */
export async function removeOwnBranch(ports: GitPorts, link: string): Promise<void> {
  const branch = await branchMadeFor(ports, link);
  if (branch === undefined) return;
  const commonDir = parentOf(parentOf(link));
  const others = await ports.files.list(parentOf(link));
  const gitDirs = others.map(({ name }) => joinPath(parentOf(link), name));
  for (const gitDir of [commonDir, ...gitDirs.filter((other) => other !== link)]) {
    const head = await runIn(ports, gitDir, ['symbolic-ref', '-q', 'HEAD']);
    if (new TextDecoder().decode(head.stdout).trim() === branch) return;
  }
  // There is none before the first commit.
  await runIn(ports, commonDir, ['update-ref', '-d', branch]);
}

function runIn({ exec }: GitPorts, gitDir: string, args: readonly string[]): Promise<ExecResult> {
  return runGit(exec, args, { cwd: gitDir, env: { GIT_DIR: gitDir } });
}

async function branchMadeFor(ports: GitPorts, link: string): Promise<string | undefined> {
  const branch = await readText(ports, joinPath(link, OWN_BRANCH_FILE));
  // Whatever that file says by now, nothing else is deleted.
  return branch === ownBranch(link) ? branch : undefined;
}

async function readText({ files }: GitPorts, file: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await files.read(file)).trimEnd();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
