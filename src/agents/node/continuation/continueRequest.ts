import type { ContinuationMoment } from '../../common/continuation.ts';
import type { SessionMeta } from '../../../sessions/node/sessionMeta.ts';

export interface ContinueRequest {
  /** Id of a known agent; of another program only its command goes on. */
  readonly agent: string | undefined;
  /** Of the session that goes on. */
  readonly sessionFolder: string;
  readonly meta: Pick<SessionMeta, 'cmd' | 'cwd'>;
  readonly moment: ContinuationMoment;
  /** Absolute; `to` exists, with the files of the moment. Paths below `from` become paths below `to`. */
  readonly workspace: {
    readonly from: string;
    readonly to: string;
    /** It is, or is going to be, a working tree of the repository that `from` is one of. */
    readonly isWorktree?: boolean;
  };
  /** The first thing to tell the agent. */
  readonly message?: string;
  /** What the agent will be started with: it says where the agent keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
}
