import type { AgentContext } from '../agentContext.ts';
import { print } from '../terminal/print.ts';
import { readKey } from '../terminal/readInput.ts';

export interface ApprovalRequest {
  readonly question: string;
  readonly timeoutMs?: number | undefined;
  /** The answer after the timeout, at the end of input, and for Enter. */
  readonly fallback?: 'yes' | 'no' | undefined;
}

const NO_KEYS = ['n', 'N', '\x1b'];

/** Shows the question and waits for y or n; ignores other keys. */
export async function askApproval(
  context: AgentContext,
  { question, timeoutMs, fallback = 'yes' }: ApprovalRequest,
): Promise<boolean> {
  await print(context, `  {{yellow}}?{{/}} {{bold}}${question}{{/}} {{dim}}(y/n){{/}} `);
  let answer: 'yes' | 'no' | undefined;
  while (answer === undefined) {
    const key = await readKey(context, timeoutMs);
    if (key === undefined || key === '\r' || key === '\n') answer = fallback;
    else if (key === 'y' || key === 'Y') answer = 'yes';
    else if (NO_KEYS.includes(key)) answer = 'no';
  }
  await print(context, answer === 'yes' ? '{{green}}yes{{/}}\n' : '{{red}}no{{/}}\n');
  return answer === 'yes';
}
