import type { AgentAdapter, LaunchAdditions } from '../../common/adapter.ts';
import { carriedOptions } from '../../common/commandLine.ts';
import type { Continuation } from '../../common/continuation.ts';
import type { CopiedAgentSession } from '../../../branching/common/branchRecord.ts';
import type { ContinueRequest } from './continueRequest.ts';
import { NewSession } from './newSession.ts';
import { restoreFolder, type Prepared } from './prepareContinuation.ts';

/** A way to go on that is known and can be made, or taken back. */
export interface BegunContinuation {
  /** What will be made outside of the new workspace; undefined for nothing. Asked for before it is. */
  foresee(): Promise<CopiedAgentSession | undefined>;
  /** Makes that; the workspace need not be there yet. */
  placeOutside(): Promise<void>;
  /** Makes the rest, when the workspace is there. */
  complete(): Promise<Continuation>;
  /** Removes what was made until now. Nobody may be at work on it. */
  undo(): Promise<void>;
}

/**
 * A new session of the agent that knows what the old one knew at the moment, in the new workspace. Nothing of the old one is
 * written.
 * @param prepared for this request
 */
export function beginContinuation(request: ContinueRequest, prepared: Prepared): BegunContinuation {
  const { message } = request;
  const { program, method, warnings, details, adapter, trimmed } = prepared;
  const plan = { program, method, warnings, details };
  if (!adapter) {
    const unsent = message === undefined ? {} : { unsentMessage: message };
    return nothingToMake({ ...plan, ...unsent, cmd: request.meta.cmd.slice(1), env: {} });
  }
  const { files, ...launch } = launchOf(request, adapter, prepared);
  if (!trimmed) return nothingToMake({ ...plan, ...launch });
  const session = new NewSession(request, prepared, files);
  const undo = () => session.undo();
  return {
    foresee: () => session.foresee(),
    placeOutside: () => session.placeOutside(),
    complete: async () => {
      request.signal.throwIfAborted();
      await session.complete();
      return { ...plan, ...launch, files: session.outside, undo };
    },
    undo,
  };
}

function nothingToMake(start: Omit<Continuation, 'files' | 'undo'>): BegunContinuation {
  const nothing = async (): Promise<void> => {};
  return {
    foresee: () => Promise.resolve(undefined),
    ...{ placeOutside: nothing, undo: nothing },
    complete: () => Promise.resolve({ ...start, files: [], undo: nothing }),
  };
}

function launchOf(
  { meta, message, env, workspace }: ContinueRequest,
  { commandLine, tellFirst }: AgentAdapter,
  { details, trimmed, replay, trust, moved }: Prepared,
): Pick<Continuation, 'cmd' | 'env' | 'unsentMessage'> & Pick<LaunchAdditions, 'files'> {
  const args = meta.cmd.slice(1);
  // Without a message there is nothing to run without a person.
  const text = replay === undefined ? message : replayMessage(replay, message);
  const isHeadless = commandLine.isHeadless(args) && text !== undefined;
  const carried = carriedOptions(commandLine, args, isHeadless).options.map(moved);
  const parts = {
    options: [...carried, ...(isHeadless ? [] : trust.options)],
    ...{ isHeadless, message: text },
    session: trimmed ? details.toSession : undefined,
    lastRecord: trimmed?.lastRecord,
  };
  const launch = { cmd: commandLine.build(parts), env: trust.env, files: [] };
  if (text === undefined || commandLine.takesMessage(parts)) return launch;
  const { session } = parts;
  const folder = restoreFolder(workspace.to, session ?? '');
  const told = session && tellFirst?.({ folder, session, message: text, env });
  if (!told) return { ...launch, unsentMessage: text };
  return { ...launch, env: { ...launch.env, ...told.env }, files: told.files };
}

function replayMessage(replay: string, message: string | undefined): string {
  return `${replay}\n\n${message ?? 'Do nothing yet: the user will say how to go on.'}`;
}
