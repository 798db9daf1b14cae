import type { ContinuationMoment } from '../../common/continuation/continuation.ts';
import type { SessionMeta } from '../../../sessions/node/sessionMeta.ts';

export interface ContinueRequest {
  /** The ID of a known agent; undefined for other programs, whose command is just started again. */
  readonly agent: string | undefined;
  /** The folder of the original session. */
  readonly sessionFolder: string;
  readonly meta: Pick<SessionMeta, 'cmd' | 'cwd'>;
  readonly moment: ContinuationMoment;
  /**
   * Absolute paths. `to` has the files of the moment; in the agent's memory, paths in `from` become
   * paths in `to`.
   */
  readonly workspace: {
    readonly from: string;
    readonly to: string;
    /** Whether `to` is or will be a git worktree of the repository of `from`. */
    readonly isWorktree?: boolean;
  };
  /** The first message to the agent. */
  readonly message?: string;
  /** The agent's environment, which decides where it keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
}
