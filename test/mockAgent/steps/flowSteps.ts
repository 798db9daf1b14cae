import {
  milliseconds,
  optional,
  required,
  steps as stepList,
  text,
  flag,
  wholeNumber,
  withDefault,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { playSteps } from '../playSteps.ts';
import { announceMoment } from '../tools/announceMoment.ts';

const pauseStep = defineStep({
  name: 'pause',
  shorthand: 'durationMs',
  fields: { durationMs: required(milliseconds) },
  play: ({ durationMs }, context) => context.pace.pause(durationMs),
});

const repeatStep = defineStep({
  name: 'repeat',
  fields: { times: required(wholeNumber(0)), steps: required(stepList) },
  async play({ times, steps }, context) {
    for (let time = 1; time <= times; time++) {
      context.variables.set('round', String(time));
      await playSteps(steps, context);
    }
  },
});

/** A moment that the user may return to. */
const momentStep = defineStep({
  name: 'moment',
  shorthand: 'label',
  fields: {
    label: required(text),
    id: optional(wholeNumber(0)),
    quiet: withDefault(flag, false),
  },
  play: ({ label, id, quiet }, context) =>
    announceMoment(context, label, { quiet, id: id === undefined ? undefined : BigInt(id) }),
});

export const flowSteps = [pauseStep, repeatStep, momentStep];
