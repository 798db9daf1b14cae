import { messageOf } from '../../src/base/errors.ts';
import type { AgentContext } from './agentContext.ts';
import type { Step } from './scenario/step.ts';

/** Thrown by a step to end the scenario with this exit code. */
export class AgentExit extends Error {
  override readonly name = 'AgentExit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A failed step, for example an edit whose text is not in the file. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
}

/** Plays steps in order. @throws AgentExit, or StepFailure with the step's place */
export async function playSteps(steps: readonly Step[], context: AgentContext): Promise<void> {
  for (const step of steps) {
    try {
      await step.play(context);
    } catch (error) {
      // An error from a nested step already names the innermost step.
      if (error instanceof AgentExit || error instanceof StepFailure) throw error;
      throw new StepFailure(`step ${step.position} (${step.kind}): ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
