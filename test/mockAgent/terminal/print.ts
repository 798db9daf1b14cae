import type { AgentContext } from '../agentContext.ts';
import { render } from './styles.ts';

/** Puts remembered answers in place of `${name}`; names that nobody remembered stay as they are. */
export function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

/** Markup, with variables, as one write. */
export async function print(context: AgentContext, markup: string): Promise<void> {
  await context.output.write(render(fillVariables(markup, context.variables)));
}

/** Columns for running text: a very wide terminal would make it hard to read. */
export function textColumns(context: AgentContext): number {
  return Math.max(20, Math.min(context.output.size().columns, 100) - 4);
}
