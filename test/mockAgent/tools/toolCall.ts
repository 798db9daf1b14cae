import type { AgentContext } from '../agentContext.ts';
import { flag, optional, text, wholeNumber, withDefault } from '../scenario/fields.ts';
import { askApproval, type ApprovalRequest } from './approval.ts';
import { announceMoment } from './announceMoment.ts';
import { styled } from '../terminal/styles.ts';

/** Fields of every step that plays a tool call. */
export const toolFields = {
  ask: optional(text),
  askTimeoutMs: optional(wholeNumber(1)),
  moment: optional(text),
  quiet: withDefault(flag, false),
};

export interface ToolCall {
  /** The tool's name in the transcript, for example `Edit`. */
  readonly name: string;
  /** The input in the transcript. */
  readonly input: object;
  /** The text in parentheses on the screen. */
  readonly title: string;
}

export interface ToolOutcome {
  /** Lines for the screen, escape sequences included. */
  readonly shown: readonly string[];
  /** The result for the model. */
  readonly result: string;
  readonly isError?: boolean;
}

interface ToolOptions {
  /** A question to the user; when denied, nothing is done. */
  readonly ask: string | undefined;
  /** After this time without an answer the answer is yes. */
  readonly askTimeoutMs: number | undefined;
  /** Label of the moment to announce afterwards. */
  readonly moment: string | undefined;
  /** Whether to print and record nothing. */
  readonly quiet: boolean;
}

/** Asks if needed, runs the tool, then shows and records the result. */
export async function performTool(
  context: AgentContext,
  call: ToolCall,
  { ask, askTimeoutMs, moment, quiet }: ToolOptions,
  act: () => Promise<ToolOutcome>,
): Promise<void> {
  if (quiet) {
    await act();
  } else {
    const approval = ask === undefined ? undefined : { question: ask, timeoutMs: askTimeoutMs };
    await performVisibly(context, call, approval, act);
  }
  if (moment !== undefined) await announceMoment(context, moment, { quiet });
}

async function performVisibly(
  context: AgentContext,
  call: ToolCall,
  approval: ApprovalRequest | undefined,
  act: () => Promise<ToolOutcome>,
): Promise<void> {
  const { output, transcript } = context;
  await output.write(`\n${styled('green', '●')} ${styled('bold', call.name)}(${call.title})\n`);
  const id = await transcript.toolUse(call.name, call.input);
  if (approval) await transcript.permissionAsked(id);
  if (approval && !(await askApproval(context, approval))) {
    await output.write(`  ${styled('dim', '⎿')}  ${styled('red', 'Rejected')}\n`);
    return transcript.toolRejected(id);
  }
  const { shown, result, isError = false } = await act();
  for (const [index, line] of shown.entries()) {
    await output.write(`  ${index === 0 ? styled('dim', '⎿') : ' '}  ${line}\n`);
  }
  await transcript.toolResult(id, result, isError);
}
