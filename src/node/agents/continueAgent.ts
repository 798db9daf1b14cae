import type {
  Continuation,
  ContinuationMoment,
  ContinuationPlan,
} from '../../agents/continuation.ts';
import { UserError } from '../../base/errors.ts';
import type { SessionMeta } from '../sessionMeta.ts';

export interface ContinueRequest {
  /** Id of a known agent; of another program only its command goes on. */
  readonly agent: string | undefined;
  /** Of the session that goes on. */
  readonly sessionFolder: string;
  readonly meta: Pick<SessionMeta, 'cmd' | 'cwd'>;
  readonly moment: ContinuationMoment;
  /** Absolute; `to` exists, with the files of the moment. Paths below `from` become paths below `to`. */
  readonly workspace: { readonly from: string; readonly to: string };
  /** The first thing to tell the agent. */
  readonly message?: string;
  /** What the agent will be started with: it says where the agent keeps its files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
}

/** How the agent would go on, and what to know before. Writes nothing; the new workspace need not exist yet. */
export function planContinuation(request: ContinueRequest): Promise<ContinuationPlan> {
  return Promise.reject(new UserError('not-yet', `Not here yet: ${request.agent}`));
}

/**
 * Makes a new session of the agent that knows what the old one knew at the moment, in the new workspace. Nothing of the old
 * one is written. When it throws, or is aborted, nothing is left.
 */
export function continueAgent(request: ContinueRequest): Promise<Continuation> {
  return Promise.reject(new UserError('not-yet', `Not here yet: ${request.agent}`));
}
