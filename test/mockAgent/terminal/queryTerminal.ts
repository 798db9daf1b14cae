import type { AgentContext } from '../agentContext.ts';

/** Queries of agents, and the patterns of answers. */
const queries = {
  da1: { question: '\x1b[c', answer: /\x1b\[\?[\d;]*c/ },
  cpr: { question: '\x1b[6n', answer: /\x1b\[\d+;\d+R/ },
  osc10: { question: '\x1b]10;?\x1b\\', answer: /\x1b\]10;[^\x07\x1b]*(\x07|\x1b\\)/ },
  osc11: { question: '\x1b]11;?\x1b\\', answer: /\x1b\]11;[^\x07\x1b]*(\x07|\x1b\\)/ },
  keyboard: { question: '\x1b[?u', answer: /\x1b\[\?\d+u/ },
};

export type QueryName = keyof typeof queries;
export const queryNames = Object.keys(queries) as QueryName[];

/** The terminal's answer; `undefined` after `timeoutMs` of real time. */
export async function queryTerminal(
  context: AgentContext,
  name: QueryName,
  timeoutMs: number,
): Promise<string | undefined> {
  const { question, answer } = queries[name];
  const reading = context.input.read(
    (received) => {
      const match = answer.exec(received.toString('latin1'));
      return match ? match.index + match[0].length : undefined;
    },
    { raw: true, timeoutMs },
  );
  await context.output.write(question);
  const received = await reading;
  // Keys typed meanwhile may stand before the answer.
  return received && answer.exec(received.toString('latin1'))?.[0];
}
