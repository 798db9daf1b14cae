import {
  base64Bytes,
  flag,
  hexBytes,
  oneOf,
  optional,
  required,
  wholeNumber,
  withDefault,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { floodSource } from '../terminal/floodSource.ts';

const rawStep = defineStep({
  name: 'raw',
  fields: {
    hex: optional(hexBytes),
    base64: optional(base64Bytes),
    times: withDefault(wholeNumber(1), 1),
  },
  check: ({ hex, base64 }) =>
    (hex === undefined) === (base64 === undefined) ? 'give either hex or base64' : undefined,
  async play({ hex, base64, times }, context) {
    const bytes = hex ?? base64 ?? Buffer.alloc(0);
    for (let time = 0; time < times; time++) await context.output.write(bytes);
  },
});

const floodStep = defineStep({
  name: 'flood',
  shorthand: 'bytes',
  fields: {
    bytes: required(wholeNumber(1)),
    pattern: withDefault(oneOf('lines', 'random', 'sequence'), 'lines'),
    writeBytes: withDefault(wholeNumber(1), 16_384),
  },
  async play({ bytes, pattern, writeBytes }, context) {
    const next = floodSource(pattern, context.random);
    for (let left = bytes; left > 0; left -= writeBytes) {
      await context.output.write(next(Math.min(left, writeBytes)));
    }
  },
});

/** Whether the terminal converts `\n` to `\r\n`. */
const outputProcessingStep = defineStep({
  name: 'outputProcessing',
  shorthand: 'enabled',
  fields: { enabled: required(flag) },
  play({ enabled }, context) {
    context.process.setOutputProcessing(enabled);
    return Promise.resolve();
  },
});

export const byteSteps = [rawStep, floodStep, outputProcessingStep];
