import { errorCode, UserError } from '../../base/errors.ts';
import type { Exec, ExecResult } from '../common/ports.ts';

/** Variables to unset: a calling git may have set them, or they change what commands do. */
const FOREIGN = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_ATTR_SOURCE',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_EXTERNAL_DIFF',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INDEX_VERSION',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_SUPER_PREFIX',
  'GIT_TRACE',
  'GIT_TRACE2',
  'GIT_TRACE2_EVENT',
  'GIT_TRACE2_PERF',
  'GIT_WORK_TREE',
];

/** The environment of every git command that we run. */
export const PLAIN_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(FOREIGN.map((name) => [name, undefined])),
  LC_ALL: 'C',
  GIT_LITERAL_PATHSPECS: '1',
  // Don't refresh the user's index as a side effect.
  GIT_OPTIONAL_LOCKS: '0',
  // Never fetch missing objects of a partial clone. Older git versions ignore `GIT_NO_LAZY_FETCH`,
  // so also forbid all protocols.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * Settings with which git runs no programs of the repository, which an agent can write: no hooks,
 * and none of those that many commands run. See also `repositoryPrograms.ts`.
 */
export const NO_PROGRAMS = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'log.showSignature=false',
];

/** Settings for every git command that must have no side effects. */
export const HARMLESS = [
  ...NO_PROGRAMS,
  '-c',
  'core.logAllRefUpdates=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];

export interface GitRun {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** A failed git command, for callers that can handle it. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly stderr: string;

  constructor(command: string, stderr: string) {
    super(`git ${command}: ${stderr.trim().slice(0, 2000)}`);
    this.stderr = stderr;
  }
}

export async function runGit(
  exec: Exec,
  args: readonly string[],
  run: GitRun,
): Promise<ExecResult> {
  try {
    return await exec('git', [...HARMLESS, ...args], {
      cwd: run.cwd,
      env: { ...PLAIN_ENVIRONMENT, ...run.env },
      ...(run.input && { input: run.input }),
      ...(run.signal && { signal: run.signal }),
    });
  } catch (error) {
    run.signal?.throwIfAborted();
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EACCES') {
      throw new UserError(
        'git-missing',
        "Can't start git. Snapshots with git need git on the PATH.",
        { cause: error },
      );
    }
    throw error;
  }
}

/** Like {@link runGit}, for commands that must succeed. */
export async function git(exec: Exec, args: readonly string[], run: GitRun): Promise<ExecResult> {
  const result = await runGit(exec, args, run);
  if (result.exitCode !== 0) {
    const command = args.find((argument, at) => !argument.startsWith('-') && args[at - 1] !== '-c');
    throw new GitFailure(command ?? '', result.stderr);
  }
  return result;
}

export function isDiskFull(error: unknown): boolean {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  return (
    error instanceof GitFailure && /No space left on device|quota exceeded/i.test(error.stderr)
  );
}

/** Turns an external failure into an error for the user; returns internal errors unchanged. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof UserError) return error;
  const code = errorCode(error);
  const text = error instanceof GitFailure ? error.stderr : '';
  if (isDiskFull(error)) {
    return new UserError('disk-full', "Can't take the snapshot: the disk is full.", {
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || /Permission denied/.test(text)) {
    const detail = error instanceof Error ? error.message : String(error);
    return new UserError(
      'permission-denied',
      `Can't take the snapshot: permission denied: ${detail}`,
      {
        cause: error,
      },
    );
  }
  if (error instanceof GitFailure) {
    return new UserError('git-failed', `Can't take the snapshot: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}
