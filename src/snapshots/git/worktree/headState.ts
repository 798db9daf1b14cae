import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { UserRepository } from './repository.ts';

const decoder = new TextDecoder();

/** HEAD at the time of a snapshot. */
export interface HeadState {
  /** The branch; undefined if HEAD is detached. */
  readonly ref?: string;
  /** Undefined if the branch has no commit yet. */
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

/** Lists the files that determine HEAD: if none was replaced, HEAD is the same. */
export async function headFiles(ports: GitPorts, repository: UserRepository): Promise<string[]> {
  const head = joinPath(repository.gitDir, 'HEAD');
  const files = [
    head,
    joinPath(repository.commonDir, 'packed-refs'),
    joinPath(repository.commonDir, 'reftable/tables.list'),
    joinPath(repository.gitDir, 'reftable/tables.list'),
  ];
  const branch = await branchOf(ports, head);
  // References of bisections and under `refs/worktree/` are in the folder of HEAD, all others in
  // the common one.
  if (branch !== undefined)
    files.push(joinPath(repository.commonDir, branch), joinPath(repository.gitDir, branch));
  return files;
}

/** Returns the branch that HEAD names. In old repositories, HEAD may be a symbolic link. */
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
