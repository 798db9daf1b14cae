import { errorCode } from '../../../base/errors.ts';
import { baseName, joinPath, parentOf } from '../../common/posixPath.ts';
import type { ExecResult } from '../../common/ports.ts';
import { runGit } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from '../worktree/repository.ts';

/**
 * A file in the folder that describes a git worktree: names the branch created for that worktree.
 */
export const OWN_BRANCH_FILE = 'ah-branch';

/**
 * Returns the branch for a clone of a repository that has no commit: HEAD can't be detached there,
 * so the first commit needs a branch. It is named after the folder that describes the worktree,
 * which no other clone has.
 */
export function ownBranch(link: string): string {
  return `refs/heads/${baseName(link)}`;
}

export async function isBranchFree(repository: UserRepository, branch: string): Promise<boolean> {
  // A branch whose name continues this one after a slash would be in the way too.
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', branch];
  return (await repository.git(args)).stdout.length === 0;
}

/** Deletes a clone's branch, unless the user has checked it out elsewhere. */
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
  // Does nothing if the branch has no commit yet.
  await runIn(ports, commonDir, ['update-ref', '-d', branch]);
}

function runIn({ exec }: GitPorts, gitDir: string, args: readonly string[]): Promise<ExecResult> {
  return runGit(exec, args, { cwd: gitDir, env: { GIT_DIR: gitDir } });
}

async function branchMadeFor(ports: GitPorts, link: string): Promise<string | undefined> {
  const branch = await readText(ports, joinPath(link, OWN_BRANCH_FILE));
  // If the file was changed, don't delete the branch that it names now.
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
