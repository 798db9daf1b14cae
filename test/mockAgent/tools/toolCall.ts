import type { AgentContext } from '../agentContext.ts';
import { flag, optional, text, withDefault } from '../scenario/fields.ts';
import { askApproval } from './approval.ts';
import { announceMoment } from './announceMoment.ts';
import { styled } from '../terminal/styles.ts';

/** Fields that every step that plays a tool has. */
export const toolFields = {
  ask: optional(text),
  moment: optional(text),
  quiet: withDefault(flag, false),
};

export interface ToolCall {
  /** As the transcript has it, e.g. `Edit`. */
  readonly name: string;
  /** As the transcript has it. */
  readonly input: object;
  /** What the screen shows between the parentheses. */
  readonly title: string;
}

export interface ToolOutcome {
  /** Lines for the screen, escape sequences included. */
  readonly shown: readonly string[];
  /** What the model gets to read. */
  readonly result: string;
  readonly isError?: boolean;
}

interface ToolOptions {
  /** A question to the person, who may say no: then nothing is done. */
  readonly ask: string | undefined;
  /** Label of the moment to announce once it is done. */
  readonly moment: string | undefined;
  /** Whether nothing is printed; the transcript stays silent too. */
  readonly quiet: boolean;
}

/** Asks if need be, acts, shows and writes down what came of it. */
export async function performTool(
  context: AgentContext,
  call: ToolCall,
  { ask, moment, quiet }: ToolOptions,
  act: () => Promise<ToolOutcome>,
): Promise<void> {
  if (quiet) {
    await act();
  } else {
    await performVisibly(context, call, ask, act);
  }
  if (moment !== undefined) await announceMoment(context, moment, { quiet });
}

async function performVisibly(
  context: AgentContext,
  call: ToolCall,
  ask: string | undefined,
  act: () => Promise<ToolOutcome>,
): Promise<void> {
  const { output, transcript } = context;
  await output.write(`\n${styled('green', '●')} ${styled('bold', call.name)}(${call.title})\n`);
  const id = await transcript.toolUse(call.name, call.input);
  if (ask !== undefined && !(await askApproval(context, { question: ask }))) {
    await output.write(`  ${styled('dim', '⎿')}  ${styled('red', 'Rejected')}\n`);
    return transcript.toolRejected(id);
  }
  const { shown, result, isError = false } = await act();
  for (const [index, line] of shown.entries()) {
    await output.write(`  ${index === 0 ? styled('dim', '⎿') : ' '}  ${line}\n`);
  }
  await transcript.toolResult(id, result, isError);
}
