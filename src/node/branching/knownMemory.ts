import type { Continuation } from '../../agents/continuation.ts';
import type { ExactValue } from '../../base/exactJson.ts';
import { continueAgent, planContinuation, type ContinueRequest } from '../agents/continueAgent.ts';
import { prepareContinuation } from '../agents/prepareContinuation.ts';
import {
  relaunch,
  type AgentMemory,
  type MemoryRequest,
  type RestoredMemory,
} from './agentMemory.ts';

/** Agents that we know go on with what they knew; any other program starts anew. */
export const knownMemory: AgentMemory = {
  async plan(request) {
    if (request.agent === undefined) return relaunch.plan(request);
    const { method, warnings } = await planContinuation(asContinueRequest(request));
    return { method, warnings };
  },
  async prepare(request) {
    if (request.agent === undefined) return relaunch.prepare(request);
    const asked = asContinueRequest(request);
    const prepared = await prepareContinuation(asked);
    return async () => restoredBy(await continueAgent(asked, prepared));
  },
};

function restoredBy(continuation: Continuation): RestoredMemory {
  const { program, method, warnings, env, details, files, unsentMessage } = continuation;
  const unsent = unsentMessage === undefined ? [] : [`Tell it yourself: ${unsentMessage}`];
  return {
    ...{ method, env, cmd: [program, ...continuation.cmd], warnings: [...warnings, ...unsent] },
    details: { ...(details as unknown as { [key: string]: ExactValue }), files: [...files] },
    undo: () => continuation.undo(),
  };
}

function asContinueRequest({ message, ...rest }: MemoryRequest): ContinueRequest {
  return { ...rest, ...(message !== undefined && { message }) };
}
