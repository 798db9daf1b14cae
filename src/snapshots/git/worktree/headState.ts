import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from './repository.ts';

const decoder = new TextDecoder();

/** Where HEAD was. */
export interface HeadState {
  /** Its branch; none when it was detached. */
  readonly ref?: string;
  /** None when the branch has no commit yet. */
  readonly commit?: string;
}

export async function readHead(repository: UserRepository): Promise<HeadState> {
  const [symbolic, commit] = await Promise.all([
    repository.run(['symbolic-ref', '-q', 'HEAD']),
    repository.run(['rev-parse', '-q', '--verify', 'HEAD^{commit}']),
  ]);
  const ref = decoder.decode(symbolic.stdout).trim();
  const oid = decoder.decode(commit.stdout).trim();
  return {
    ...(symbolic.exitCode === 0 && ref && { ref }),
    ...(commit.exitCode === 0 && oid && { commit: oid }),
  };
}

/** Files that say where HEAD is: when none of them was replaced, it is where it was. */
export async function headFiles(ports: GitPorts, repository: UserRepository): Promise<string[]> {
  const head = joinPath(repository.gitDir, 'HEAD');
  const files = [
    head,
    joinPath(repository.commonDir, 'packed-refs'),
    joinPath(repository.commonDir, 'reftable/tables.list'),
    joinPath(repository.gitDir, 'reftable/tables.list'),
  ];
  const branch = await branchOf(ports, head);
  // A branch of this working tree alone (`refs/worktree/`, a bisection) is beside HEAD, all others are shared.
  if (branch !== undefined)
    files.push(joinPath(repository.commonDir, branch), joinPath(repository.gitDir, branch));
  return files;
}

/** HEAD may be a symbolic link, as it was long ago. */
async function branchOf({ files }: GitPorts, head: string): Promise<string | undefined> {
  const text = await files.read(head).then(
    (bytes) => decoder.decode(bytes),
    () =>
      files.readLink(head).then(
        (target) => `ref: ${target}`,
        // Untested: git refuses a repository whose HEAD cannot be read, and says so.
        () => '',
      ),
  );
  return /^ref: (refs\/.*?)\s*$/.exec(text)?.[1];
}
