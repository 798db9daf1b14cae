import type { Continuation } from '../../../src/agents/common/continuation/continuation.ts';
import { beginContinuation } from '../../../src/agents/node/continuation/beginContinuation.ts';
import type { ContinueRequest } from '../../../src/agents/node/continuation/continueRequest.ts';
import { prepareContinuation } from '../../../src/agents/node/continuation/prepareContinuation.ts';

export type { ContinueRequest };
export { prepareContinuation as planContinuation };

/** Continues an agent as a branch does. Leaves nothing behind if it throws or is aborted. */
export async function continueAgent(request: ContinueRequest): Promise<Continuation> {
  const begun = beginContinuation(request, await prepareContinuation(request));
  try {
    request.signal.throwIfAborted();
    await begun.planOutside();
    await begun.createOutside();
    return await begun.complete();
  } catch (error) {
    await begun.undo();
    throw error;
  }
}
