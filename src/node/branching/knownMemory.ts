import { UserError } from '../../base/errors.ts';
import { KNOWN_AGENTS } from '../../agents/detect.ts';
import type { ExactValue } from '../../base/exactJson.ts';
import { continueAgent, planContinuation, type ContinueRequest } from '../agents/continueAgent.ts';
import { findProgram } from '../findProgram.ts';
import { relaunch, type AgentMemory, type MemoryRequest } from './agentMemory.ts';

/** Agents that we know go on with what they knew; any other program starts anew. */
export const knownMemory: AgentMemory = {
  async plan(request) {
    if (request.agent === undefined) return relaunch.plan(request);
    programOf(request);
    const { method, warnings } = await planContinuation(asContinueRequest(request));
    return { method, warnings };
  },
  async restore(request) {
    if (request.agent === undefined) return relaunch.restore(request);
    const program = programOf(request);
    const continuation = await continueAgent(asContinueRequest(request));
    const { method, warnings, env, details, files, unsentMessage } = continuation;
    const unsent = unsentMessage === undefined ? [] : [`Type it yourself: ${unsentMessage}`];
    return {
      ...{ method, env, cmd: [program, ...continuation.cmd], warnings: [...warnings, ...unsent] },
      details: { ...(details as unknown as { [key: string]: ExactValue }), files: [...files] },
      undo: () => continuation.undo(),
    };
  },
};

function asContinueRequest({ message, ...rest }: MemoryRequest): ContinueRequest {
  return { ...rest, ...(message !== undefined && { message }) };
}

/** The program that was recorded; where it is gone, the one that goes by its name now. @throws UserError */
function programOf({ meta, env, agent }: MemoryRequest): string {
  const known = KNOWN_AGENTS.find(({ id }) => id === agent);
  for (const name of [meta.cmd[0]!, ...(known?.programs ?? [])]) {
    try {
      return findProgram(name, env, meta.cwd);
    } catch {
      // The next may be there.
    }
  }
  throw new UserError(
    'agent-gone',
    `${known?.name ?? meta.cmd[0]} is not installed here any more: install it, then branch.`,
  );
}
