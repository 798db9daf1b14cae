import type { AgentContext } from '../agentContext.ts';
import { render } from './styles.ts';

/** Replaces `${name}` by remembered answers; unknown names stay. */
export function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

/** Prints markup with variables in one write. */
export async function print(context: AgentContext, markup: string): Promise<void> {
  await context.output.write(render(fillVariables(markup, context.variables)));
}

/** Limits the width of text, which is hard to read in a very wide terminal. */
export function textColumns(context: AgentContext): number {
  return Math.max(20, Math.min(context.output.size().columns, 100) - 4);
}
