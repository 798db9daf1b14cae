import {
  oneOf,
  optional,
  required,
  steps as stepList,
  styledText,
  wholeNumber,
  withDefault,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { playSteps } from '../playSteps.ts';
import { print } from '../terminal/print.ts';
import { render } from '../terminal/styles.ts';

/** Plays steps on the alternate screen and restores the main screen. */
const alternateScreenStep = defineStep({
  name: 'alternateScreen',
  shorthand: 'steps',
  fields: { steps: required(stepList) },
  async play({ steps }, context) {
    await context.modes.enter('alternateScreen', '\x1b[?1049h\x1b[2J\x1b[H', '\x1b[?1049l');
    await playSteps(steps, context);
    await context.modes.leave('alternateScreen');
  },
});

const drawAtStep = defineStep({
  name: 'drawAt',
  fields: {
    row: required(wholeNumber(1)),
    column: withDefault(wholeNumber(1), 1),
    text: required(styledText),
  },
  play({ row, column, text }, context) {
    const lines = text.trimEnd().split('\n');
    const drawn = lines.map((line, index) => `\x1b[${row + index};${column}H${line}`);
    return print(context, `${drawn.join('')}{{/}}`);
  },
});

const clearStep = defineStep({
  name: 'clear',
  shorthand: 'what',
  fields: { what: withDefault(oneOf('screen', 'line', 'scrollback'), 'screen') },
  play({ what }, context) {
    const sequences = { screen: '\x1b[2J\x1b[H', line: '\r\x1b[2K', scrollback: '\x1b[3J' };
    return context.output.write(sequences[what]);
  },
});

/** Without a text, releases the bottom line. */
const statusLineStep = defineStep({
  name: 'statusLine',
  shorthand: 'text',
  fields: { text: optional(styledText) },
  play({ text }, context) {
    const { statusLine } = context;
    return text === undefined ? statusLine.hide() : statusLine.show(render(text));
  },
});

export const screenSteps = [alternateScreenStep, drawAtStep, clearStep, statusLineStep];
