import type { AgentContext } from '../agentContext.ts';
import {
  flag,
  listOf,
  milliseconds,
  oneOf,
  required,
  styledText,
  text,
  withDefault,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { fillVariables, print, textColumns } from '../terminal/print.ts';
import { render } from '../terminal/styles.ts';
import { wrapText } from '../terminal/wrapText.ts';

const PROMPT_STYLE = '{{bold on-c236 c255}}';

const textStep = defineStep({
  name: 'text',
  shorthand: 'text',
  fields: {
    text: required(styledText),
    newline: withDefault(flag, true),
    characterMs: withDefault(milliseconds, 0),
  },
  async play({ text: markup, newline, characterMs }, context) {
    if (characterMs === 0) return print(context, markup + (newline ? '\n' : ''));
    await printSlowly(context, markup, /(\{\{[^}]*\}\}|[^])/, characterMs);
    if (newline) await print(context, '\n');
  },
});

/** A message of the agent, streamed word by word. */
const messageStep = defineStep({
  name: 'message',
  shorthand: 'text',
  fields: { text: required(styledText), wordMs: withDefault(milliseconds, 45) },
  async play({ text: markup, wordMs }, context) {
    const filled = joinLines(fillVariables(markup.trimEnd(), context.variables));
    const lines = wrapText(filled, textColumns(context));
    const indented = lines.map((line, index) => (index > 0 && line !== '' ? `  ${line}` : line));
    await print(context, '\n{{bold}}●{{/}} ');
    await printSlowly(context, indented.join('\n'), /(\s+)/, wordMs);
    await print(context, '{{/}}\n');
    await context.transcript.message(filled.replace(/\{\{[^}]*\}\}/g, ''));
  },
});

/** A prompt of the user, typed. */
const promptStep = defineStep({
  name: 'prompt',
  shorthand: 'text',
  fields: { text: required(text), keyMs: withDefault(milliseconds, 22) },
  async play({ text: words, keyMs }, context) {
    const filled = fillVariables(words.trimEnd(), context.variables);
    const columns = textColumns(context);
    await print(context, '\n');
    for (const [index, line] of wrapText(filled, columns).entries()) {
      await print(context, `${PROMPT_STYLE}\x1b[K${index === 0 ? '❯' : ' '} `);
      await printSlowly(context, line, /([^])/, keyMs);
      await print(context, '{{/}}\n');
    }
    await context.transcript.prompt(filled);
  },
});

/** Several lines that are redrawn in place. */
const regionStep = defineStep({
  name: 'region',
  shorthand: 'frames',
  fields: {
    frames: required(listOf(styledText)),
    intervalMs: withDefault(milliseconds, 400),
  },
  async play({ frames, intervalMs }, context) {
    let height = 0;
    for (const [index, frame] of frames.entries()) {
      if (index > 0) await context.pace.pause(intervalMs);
      const lines = frame.trimEnd().split('\n');
      const up = height > 0 ? `\x1b[${height}A` : '';
      // Clears the rest of a taller previous frame.
      const rest = '\x1b[J';
      await print(
        context,
        `${up}\r${lines.map((line) => `\x1b[2K${line}{{/}}\n`).join('')}${rest}`,
      );
      height = lines.length;
    }
  },
});

const titleStep = defineStep({
  name: 'title',
  shorthand: 'text',
  fields: { text: required(text) },
  play: ({ text: title }, context) => context.output.write(`\x1b]0;${title}\x07`),
});

/** Marks that shells print around prompts and commands (OSC 133). */
const shellMarkStep = defineStep({
  name: 'shellMark',
  shorthand: 'mark',
  fields: {
    mark: required(oneOf('promptStart', 'commandStart', 'outputStart', 'outputEnd')),
    exitCode: withDefault(text, ''),
  },
  play({ mark, exitCode }, context) {
    const letter = { promptStart: 'A', commandStart: 'B', outputStart: 'C', outputEnd: 'D' }[mark];
    return context.output.write(`\x1b]133;${letter}${exitCode && `;${exitCode}`}\x07`);
  },
});

/** Empty lines separate paragraphs; other line ends are not part of the message. */
function joinLines(text: string): string {
  return text.replace(/(?<!\n)\n(?!\n)/g, ' ');
}

/** Writes each piece, with a pause after it. `separator` must capture, so that nothing is lost. */
async function printSlowly(
  context: AgentContext,
  markup: string,
  separator: RegExp,
  pieceMs: number,
): Promise<void> {
  for (const piece of markup.split(separator).filter((part) => part !== '')) {
    await context.output.write(render(fillVariables(piece, context.variables)));
    if (/\S/.test(piece)) await context.pace.pause(pieceMs);
  }
}

export const textSteps = [textStep, messageStep, promptStep, regionStep, titleStep, shellMarkStep];
