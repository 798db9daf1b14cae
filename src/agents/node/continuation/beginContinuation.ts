import path from 'node:path';
import { agentArguments, agentCommand } from '../../common/agentCommand.ts';
import type { AgentAdapter, LaunchAdditions } from '../../common/adapter.ts';
import { carriedOptions } from '../../common/continuation/commandLine.ts';
import type { Continuation } from '../../common/continuation/continuation.ts';
import type { CopiedAgentSession } from '../../../branching/common/branchRecord.ts';
import type { ContinueRequest } from './continueRequest.ts';
import { NewSession } from './newSession.ts';
import { restoreFolder, type Prepared } from './prepareContinuation.ts';

/**
 * The steps that create the copy of the agent's session and the launch, in order, and a step that
 * undoes them.
 */
export interface BegunContinuation {
  /**
   * Returns what the next step will create outside the new workspace, so that the caller can record
   * it first; undefined if nothing.
   */
  planOutside(): Promise<CopiedAgentSession | undefined>;
  /** Creates the planned files. The workspace need not exist yet. */
  createOutside(): Promise<void>;
  /** Creates the rest in the new workspace, which must exist by now. */
  complete(): Promise<Continuation>;
  /** Removes everything created so far. No other step may be running. */
  undo(): Promise<void>;
}

/**
 * Begins a new session of the agent in the new workspace, with the memory that the original had at
 * the moment. The original is never written to.
 * @param prepared the result of `prepareContinuation` for this request
 */
export function beginContinuation(request: ContinueRequest, prepared: Prepared): BegunContinuation {
  const { message } = request;
  const { program, method, warnings, details, adapter, resumed } = prepared;
  const plan = { program, method, warnings, details };
  if (!adapter) {
    const unsent = message === undefined ? {} : { unsentMessage: message };
    return nothingToCreate({ ...plan, ...unsent, cmd: request.meta.cmd.slice(1), env: {} });
  }
  const { files, ...launch } = launchOf(request, adapter, prepared);
  if (!resumed) return nothingToCreate({ ...plan, ...launch });
  const session = new NewSession(request, prepared, resumed, files);
  const undo = () => session.undo();
  return {
    planOutside: () => session.planOutside(),
    createOutside: () => session.createOutside(),
    complete: async () => {
      request.signal.throwIfAborted();
      await session.complete();
      return { ...plan, ...launch, files: session.outside, undo };
    },
    undo,
  };
}

function nothingToCreate(start: Omit<Continuation, 'files' | 'undo'>): BegunContinuation {
  const nothing = async (): Promise<void> => {};
  return {
    planOutside: () => Promise.resolve(undefined),
    createOutside: nothing,
    undo: nothing,
    complete: () => Promise.resolve({ ...start, files: [], undo: nothing }),
  };
}

function launchOf(
  { meta, message, env, workspace }: ContinueRequest,
  { commandLine, sendFirstMessage }: AgentAdapter,
  { program, resumed, replay, trust, mode, moved }: Prepared,
): Pick<Continuation, 'cmd' | 'env' | 'unsentMessage'> & Pick<LaunchAdditions, 'files'> {
  const args = agentArguments(meta.cmd);
  // A headless run needs a message; without one, the agent starts interactively.
  const text = replay === undefined ? message : replayMessage(replay, message);
  const isHeadless = commandLine.isHeadless(args) && text !== undefined;
  const carried = carriedOptions(commandLine, args, isHeadless, mode.dropped).options.map(moved);
  const parts = {
    options: [...carried, ...mode.options, ...(isHeadless ? [] : trust.options)],
    isHeadless,
    message: text,
    session: resumed?.session,
    lastRecord: resumed?.trimmed.lastRecord,
  };
  const cmd = startedAs(meta.cmd, program, commandLine.build(parts));
  const launch = { cmd, env: trust.env, files: [] };
  if (text === undefined || commandLine.takesMessage(parts)) return launch;
  const { session } = parts;
  const folder = restoreFolder(workspace.to, session ?? '');
  const sending = session && sendFirstMessage?.({ folder, session, message: text, env });
  if (!sending) return { ...launch, unsentMessage: text };
  return { ...launch, env: { ...launch.env, ...sending.env }, files: sending.files };
}

/**
 * Starts the agent through the same programs as before, such as `env` or a shell.
 * @returns the command without the program
 */
function startedAs(
  before: readonly string[],
  program: string,
  args: readonly string[],
): readonly string[] {
  const isSame = before[0] !== undefined && path.basename(before[0]) === path.basename(program);
  return (isSame && agentCommand(before)?.replaceArguments(args).slice(1)) || args;
}

function replayMessage(replay: string, message: string | undefined): string {
  return `${replay}\n\n${message ?? 'Do nothing yet: the user will say how to continue.'}`;
}
