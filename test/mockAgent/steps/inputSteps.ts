import {
  flag,
  listOf,
  oneOf,
  optional,
  required,
  steps as stepList,
  styledText,
  text,
  wholeNumber,
  withDefault,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { playSteps } from '../playSteps.ts';
import { print } from '../terminal/print.ts';
import { readKey, readLine } from '../terminal/readInput.ts';
import { queryNames, queryTerminal } from '../terminal/queryTerminal.ts';
import { showControl } from '../terminal/showControl.ts';
import { askApproval } from '../tools/approval.ts';

/** Real time: users and terminals do not get faster with `--speed`. */
const realTimeout = wholeNumber(1);

const inputStep = defineStep({
  name: 'input',
  shorthand: 'prompt',
  fields: {
    prompt: withDefault(styledText, '{{bold}}❯{{/}} '),
    kind: withDefault(oneOf('line', 'key'), 'line'),
    name: withDefault(text, 'answer'),
    default: optional(text),
    timeoutMs: optional(realTimeout),
    asPrompt: withDefault(flag, false),
  },
  async play({ prompt, kind, name, default: fallback, timeoutMs, asPrompt }, context) {
    await print(context, prompt);
    const answer = await (kind === 'line' ? readLine : readKey)(context, timeoutMs);
    const value = answer ?? fallback;
    if (value === undefined) throw new Error('no input came, and the step has no default');
    context.variables.set(name, kind === 'key' ? showControl(value) : value);
    if (kind === 'key') await context.output.write(`${showControl(value)}\n`);
    else if (answer === undefined) await context.output.write(`${value}\n`);
    if (asPrompt) await context.transcript.prompt(value);
  },
});

const approvalStep = defineStep({
  name: 'approval',
  shorthand: 'question',
  fields: {
    question: required(text),
    yes: withDefault(stepList, []),
    no: withDefault(stepList, []),
    default: withDefault(oneOf('yes', 'no'), 'yes'),
    timeoutMs: optional(realTimeout),
  },
  async play({ question, yes, no, default: fallback, timeoutMs }, context) {
    const approved = await askApproval(context, { question, timeoutMs, fallback });
    await playSteps(approved ? yes : no, context);
  },
});

/** Queries the terminal, as agents do at their start. */
const queryStep = defineStep({
  name: 'query',
  shorthand: 'ask',
  fields: {
    ask: required(listOf(oneOf(...queryNames))),
    timeoutMs: withDefault(realTimeout, 1000),
  },
  async play({ ask, timeoutMs }, context) {
    for (const name of ask) {
      const reply = await queryTerminal(context, name, timeoutMs);
      const shown = reply === undefined ? '{{dim}}no answer{{/}}' : showControl(reply);
      await print(context, `${name}: ${shown}\n`);
    }
  },
});

export const inputSteps = [inputStep, approvalStep, queryStep];
