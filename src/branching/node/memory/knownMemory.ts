import type { Continuation } from '../../../agents/common/continuation/continuation.ts';
import type { ExactValue } from '../../../base/exactJson.ts';
import { beginContinuation } from '../../../agents/node/continuation/beginContinuation.ts';
import type { ContinueRequest } from '../../../agents/node/continuation/continueRequest.ts';
import { prepareContinuation } from '../../../agents/node/continuation/prepareContinuation.ts';
import {
  relaunch,
  type AgentMemory,
  type MemoryRequest,
  type RestoredMemory,
} from './agentMemory.ts';

/** Resumes known agents with their memory; starts other programs again without memory. */
export const knownMemory: AgentMemory = {
  async plan(request) {
    if (request.agent === undefined) return relaunch.plan(request);
    const asked = asContinueRequest(request);
    const prepared = await prepareContinuation(asked);
    const { method, warnings, details } = prepared;
    return {
      method,
      warnings,
      mode: details,
      begin: (signal) => {
        const begun = beginContinuation({ ...asked, signal }, prepared);
        return {
          filesOutside: () => begun.planOutside(),
          writeOutside: () => begun.createOutside(),
          restore: async () => restoredBy(await begun.complete()),
          undo: () => begun.undo(),
        };
      },
    };
  },
};

function restoredBy(continuation: Continuation): RestoredMemory {
  const { program, method, warnings, env, details, files, unsentMessage } = continuation;
  const unsent =
    unsentMessage === undefined
      ? []
      : [`The agent does not get the message. Send it yourself: ${unsentMessage}`];
  return {
    method,
    env,
    cmd: [program, ...continuation.cmd],
    warnings: [...warnings, ...unsent],
    details: { ...(details as unknown as { [key: string]: ExactValue }), files: [...files] },
  };
}

function asContinueRequest({ message, ...rest }: MemoryRequest): ContinueRequest {
  return { ...rest, ...(message !== undefined && { message }) };
}
