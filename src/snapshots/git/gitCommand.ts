import { UserError } from '../../base/errors.ts';
import type { Exec, ExecResult } from '../common/ports.ts';
import { errorCode } from '../volume/errorCode.ts';

/** What a git that started us may have put into our environment, and what would change the meaning of a command. */
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

/** The environment of every git we run. */
export const PLAIN_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(FOREIGN.map((name) => [name, undefined])),
  LC_ALL: 'C',
  GIT_LITERAL_PATHSPECS: '1',
  // No refreshing of the user's index on the side.
  GIT_OPTIONAL_LOCKS: '0',
  // Nothing comes over any wire, and so nothing new into a partial clone. Only new versions know the first.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/** Settings of every git we run: nothing of the user's is started, and nothing tidies up by itself. */
export const HARMLESS = [
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.logAllRefUpdates=false'],
  ...['-c', 'gc.auto=0'],
  ...['-c', 'maintenance.auto=false'],
];

export interface GitRun {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** A git command that failed, for callers who know what to do about it. */
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
        'git could not be started. It must be installed and on the PATH for snapshots by git.',
        { cause: error },
      );
    }
    throw error;
  }
}

/** As {@link runGit}, for commands that must succeed. */
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

/** What went wrong, in a sentence for people; errors that are none of the outside's doing stay as they are. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof UserError) return error;
  const code = errorCode(error);
  const text = error instanceof GitFailure ? error.stderr : '';
  if (isDiskFull(error)) {
    return new UserError('disk-full', 'There is no room left on the disk for a snapshot.', {
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || /Permission denied/.test(text)) {
    const detail = error instanceof Error ? error.message : String(error);
    return new UserError('permission-denied', `The snapshot was not permitted: ${detail}`, {
      cause: error,
    });
  }
  if (error instanceof GitFailure) {
    return new UserError('git-failed', `A snapshot was not possible: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}
