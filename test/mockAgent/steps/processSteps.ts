import { toDisposable } from '../../../src/base/lifecycle.ts';
import {
  flag,
  listOf,
  milliseconds,
  oneOf,
  optional,
  required,
  steps as stepList,
  styledText,
  text,
  wholeNumber,
  withDefault,
} from '../scenario/fields.ts';
import type { AgentContext } from '../agentContext.ts';
import { defineStep } from '../scenario/step.ts';
import { AgentExit, playSteps } from '../playSteps.ts';
import { print } from '../terminal/print.ts';

const exitStep = defineStep({
  name: 'exit',
  shorthand: 'code',
  fields: { code: withDefault(wholeNumber(0, 255), 0) },
  play: ({ code }) => Promise.reject(new AgentExit(code)),
});

const crashStep = defineStep({
  name: 'crash',
  shorthand: 'signal',
  fields: {
    signal: optional(oneOf('SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGTERM', 'SIGHUP')),
    exception: optional(text),
  },
  check: ({ signal, exception }) =>
    (signal === undefined) === (exception === undefined)
      ? 'give either signal or exception'
      : undefined,
  async play({ signal, exception }, context) {
    await context.transcript.end();
    if (signal !== undefined) return context.process.dieBySignal(signal);
    return context.process.dieByException(exception ?? '');
  },
});

/** While the steps play, the signals only print `reply`. */
const ignoreSignalsStep = defineStep({
  name: 'ignoreSignals',
  fields: {
    signals: required(listOf(oneOf('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'))),
    reply: optional(styledText),
    steps: required(stepList),
  },
  async play({ signals, reply, steps }, context) {
    const taking = context.process.takeSignals(signals, (signal) => {
      context.variables.set('signal', signal);
      if (reply !== undefined) void print(context, `${reply}\n`);
    });
    try {
      await playSteps(steps, context);
    } finally {
      taking.dispose();
    }
  },
});

const backgroundStep = defineStep({
  name: 'background',
  fields: {
    text: withDefault(text, 'still here'),
    durationMs: required(milliseconds),
    intervalMs: withDefault(wholeNumber(1), 1000),
  },
  play(child, context) {
    context.process.leaveBehind(child);
    return Promise.resolve();
  },
});

/** Prints each new terminal size while the steps play. */
const reportResizesStep = defineStep({
  name: 'reportResizes',
  shorthand: 'steps',
  fields: { steps: required(stepList) },
  async play({ steps }, context) {
    const listening = context.output.onResize(
      ({ columns, rows }) => void print(context, `{{dim}}resized to ${columns}×${rows}{{/}}\n`),
    );
    try {
      await playSteps(steps, context);
    } finally {
      listening.dispose();
    }
  },
});

const waitForResizeStep = defineStep({
  name: 'waitForResize',
  shorthand: 'timeoutMs',
  fields: {
    timeoutMs: withDefault(wholeNumber(1), 60_000),
    required: withDefault(flag, true),
  },
  async play({ timeoutMs, required: isRequired }, context) {
    const resized = await nextResize(context, timeoutMs);
    if (!resized && isRequired) throw new Error(`no resize within ${timeoutMs} ms`);
  },
});

function nextResize(context: AgentContext, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let listening = toDisposable(() => {});
    const finish = (resized: boolean): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve(resized);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    listening = context.output.onResize(() => finish(true));
  });
}

export const processSteps = [
  exitStep,
  crashStep,
  ignoreSignalsStep,
  backgroundStep,
  reportResizesStep,
  waitForResizeStep,
];
