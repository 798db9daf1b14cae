import {
  milliseconds,
  oneOf,
  optional,
  required,
  styledText,
  text,
  wholeNumber,
  withDefault,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { print } from '../terminal/print.ts';
import { spinnerGlyphs, spinnerLine } from '../terminal/spinnerLine.ts';
import { withoutCursor } from '../terminal/terminalModes.ts';

/** A line that is redrawn many times per second while the agent thinks. */
const spinnerStep = defineStep({
  name: 'spinner',
  shorthand: 'text',
  fields: {
    text: withDefault(text, 'Thinking'),
    durationMs: withDefault(milliseconds, 1500),
    intervalMs: withDefault(wholeNumber(1), 80),
    style: withDefault(oneOf('star', 'braille', 'line'), 'star'),
    done: optional(styledText),
  },
  async play({ text: label, durationMs, intervalMs, style, done }, context) {
    const { pace, random, output } = context;
    let tokens = 20 + random.below(60);
    await print(context, '\n');
    await withoutCursor(context.modes, async () => {
      for (let frame = 0; frame * intervalMs < durationMs; frame++) {
        tokens += random.below(9);
        const elapsedMs = frame * intervalMs;
        const glyphs = spinnerGlyphs[style];
        await output.write(
          spinnerLine({ label, glyphs, frame, elapsedMs, tokens }, output.size().columns),
        );
        await pace.pause(Math.min(intervalMs, durationMs - elapsedMs));
      }
      // Without a final text, removes the line and the empty one above it.
      await print(context, done === undefined ? '\r\x1b[K\x1b[A' : `\r\x1b[K${done}{{/}}\n`);
    });
  },
});

/** A progress bar in one line. */
const progressStep = defineStep({
  name: 'progress',
  shorthand: 'text',
  fields: {
    text: required(styledText),
    total: withDefault(wholeNumber(1), 100),
    durationMs: withDefault(milliseconds, 2000),
    intervalMs: withDefault(wholeNumber(1), 50),
    width: withDefault(wholeNumber(1, 200), 30),
    done: optional(styledText),
  },
  async play({ text: label, total, durationMs, intervalMs, width, done }, context) {
    const frames = Math.max(1, Math.ceil(durationMs / intervalMs));
    await withoutCursor(context.modes, async () => {
      for (let frame = 0; frame <= frames; frame++) {
        const share = frame / frames;
        const filled = Math.round(share * width);
        const bar = `{{c75}}${'█'.repeat(filled)}{{/}}{{c238}}${'░'.repeat(width - filled)}{{/}}`;
        const count = `${Math.round(share * total)}/${total}`.padStart(
          String(total).length * 2 + 1,
        );
        const percent = `${Math.round(share * 100)}%`.padStart(4);
        await print(context, `\r${label} ${bar} ${count} {{dim}}${percent}{{/}}\x1b[K`);
        if (frame < frames) await context.pace.pause(durationMs / frames);
      }
      await print(context, done === undefined ? '\n' : `\r\x1b[K${done}{{/}}\n`);
    });
  },
});

export const progressSteps = [spinnerStep, progressStep];
