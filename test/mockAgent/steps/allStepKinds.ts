import type { StepKind } from '../scenario/step.ts';
import { byteSteps } from './byteSteps.ts';
import { fileSteps } from './fileSteps.ts';
import { flowSteps } from './flowSteps.ts';
import { inputSteps } from './inputSteps.ts';
import { processSteps } from './processSteps.ts';
import { progressSteps } from './progressSteps.ts';
import { screenSteps } from './screenSteps.ts';
import { textSteps } from './textSteps.ts';
import { toolSteps } from './toolSteps.ts';

/** Every kind of step by its name in a scenario. */
export const allStepKinds: ReadonlyMap<string, StepKind> = new Map(
  [
    ...textSteps,
    ...progressSteps,
    ...screenSteps,
    ...byteSteps,
    ...flowSteps,
    ...inputSteps,
    ...fileSteps,
    ...toolSteps,
    ...processSteps,
  ].map((kind) => [kind.name, kind]),
);
