import type { AgentContext } from '../agentContext.ts';
import { fillVariables } from '../terminal/print.ts';
import { styled } from '../terminal/styles.ts';

/** Notifies the recorder, if any, and then prints the label, so that the snapshot comes first. */
export async function announceMoment(
  context: AgentContext,
  label: string,
  options: { readonly quiet?: boolean; readonly id?: bigint | undefined } = {},
): Promise<void> {
  if (!context.moments) return;
  const filled = fillVariables(label, context.variables);
  const { problem } = await context.moments.announce(filled, options.id);
  if (options.quiet && problem === undefined) return;
  const failure = problem === undefined ? '' : ` ${styled('red', `(not recorded: ${problem})`)}`;
  await context.output.write(`  ${styled('c141', '◆')} ${styled('dim', filled)}${failure}\n`);
}
