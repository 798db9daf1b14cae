import path from 'node:path';
import type { AgentContext } from '../agentContext.ts';
import {
  command as commandField,
  flag,
  milliseconds,
  optional,
  required,
  styledText,
  text,
  textMap,
  wholeNumber,
  withDefault,
  workspacePath,
} from '../scenario/fields.ts';
import { defineStep } from '../scenario/step.ts';
import { fillVariables, print } from '../terminal/print.ts';
import { render, styled } from '../terminal/styles.ts';
import { withoutCursor } from '../terminal/terminalModes.ts';
import { runCommand, type CommandResult } from '../tools/runCommand.ts';
import { performTool, toolFields, type ToolOutcome } from '../tools/toolCall.ts';

/** How often per second the line of a running command is redrawn. */
const RUNNING_INTERVAL_MS = 100;
/** Lines kept from the start of long output; the others come from its end, where results are. */
const HEAD_LINES = 3;

const runStep = defineStep({
  name: 'run',
  shorthand: 'command',
  fields: {
    command: required(commandField),
    cwd: withDefault(workspacePath, '.'),
    env: withDefault(textMap, {}),
    durationMs: withDefault(milliseconds, 0),
    maxLines: withDefault(wholeNumber(1), 12),
    inTerminal: withDefault(flag, false),
    timeoutMs: withDefault(wholeNumber(1), 60_000),
    expectExitCode: optional(wholeNumber(0, 255)),
    ...toolFields,
  },
  play(values, context) {
    const { command, cwd, env, inTerminal, timeoutMs, expectExitCode, maxLines, durationMs } =
      values;
    const line = typeof command === 'string' ? command : command.join(' ');
    const call = { name: 'Bash', title: line, input: { command: line } };
    return performTool(context, call, values, async () => {
      const running = runCommand(command, {
        cwd: path.join(context.folder, cwd),
        env,
        inTerminal,
        timeoutMs,
      });
      // A failure is reported when the drawing ends.
      running.catch(() => undefined);
      if (!values.quiet) await drawRunning(context, durationMs);
      const result = await running;
      if (expectExitCode !== undefined && result.exitCode !== expectExitCode) {
        throw new Error(
          `"${line}" ended with ${endOf(result)}, expected ${expectExitCode}:\n${result.output}`,
        );
      }
      return showResult(result, maxLines);
    });
  },
});

/** Any other tool: only shown and recorded. */
const toolStep = defineStep({
  name: 'tool',
  fields: {
    name: required(text),
    title: withDefault(text, ''),
    input: withDefault(textMap, {}),
    shown: optional(styledText),
    result: withDefault(text, ''),
    isError: withDefault(flag, false),
    durationMs: withDefault(milliseconds, 0),
    ...toolFields,
  },
  play({ name, title, input, shown, result, isError, durationMs, ...options }, context) {
    return performTool(context, { name, title, input }, options, async () => {
      await drawRunning(context, durationMs);
      const visible =
        shown === undefined ? result : render(fillVariables(shown, context.variables));
      const lines = visible.trimEnd().split('\n');
      return {
        shown: isError ? lines.map((line) => styled('red', line)) : lines,
        result,
        isError,
      };
    });
  },
});

/** Redraws "Running…" with the seconds in place, then removes the line. */
async function drawRunning(context: AgentContext, durationMs: number): Promise<void> {
  if (durationMs === 0) return;
  await withoutCursor(context.modes, async () => {
    for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs += RUNNING_INTERVAL_MS) {
      const seconds = (elapsedMs / 1000).toFixed(1);
      await print(context, `\r  {{dim}}⎿  Running… ${seconds}s{{/}}\x1b[K`);
      await context.pace.pause(Math.min(RUNNING_INTERVAL_MS, durationMs - elapsedMs));
    }
    await print(context, '\r\x1b[K');
  });
}

function showResult(result: CommandResult, maxLines: number): ToolOutcome {
  const lines = result.output.trimEnd().split('\n');
  const hidden = lines.length - maxLines;
  const shown =
    hidden <= 0
      ? lines
      : [
          ...lines.slice(0, HEAD_LINES),
          styled('dim', `… +${hidden} lines`),
          ...lines.slice(HEAD_LINES + hidden),
        ];
  const isError = result.exitCode !== 0;
  if (!isError)
    return {
      shown: result.output === '' ? [styled('dim', '(No output)')] : shown,
      result: result.output,
    };
  const end = `Exit ${endOf(result)}`;
  return { shown: [styled('red', end), ...shown], result: `${end}\n${result.output}`, isError };
}

function endOf({ exitCode, signal }: CommandResult): string {
  return exitCode === undefined ? `by ${signal}` : `code ${exitCode}`;
}

export const toolSteps = [runStep, toolStep];
