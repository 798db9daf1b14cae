import type { Continuation } from '../../src/agents/common/continuation.ts';
import { beginContinuation } from '../../src/agents/node/continuation/beginContinuation.ts';
import type { ContinueRequest } from '../../src/agents/node/continuation/continueRequest.ts';
import { prepareContinuation } from '../../src/agents/node/continuation/prepareContinuation.ts';

export type { ContinueRequest };
export { prepareContinuation as planContinuation };

/** All that a branch does for its agent, in one go. When it throws, or is aborted, nothing is left. */
export async function continueAgent(request: ContinueRequest): Promise<Continuation> {
  const begun = beginContinuation(request, await prepareContinuation(request));
  try {
    request.signal.throwIfAborted();
    await begun.foresee();
    await begun.placeOutside();
    return await begun.complete();
  } catch (error) {
    await begun.undo();
    throw error;
  }
}
