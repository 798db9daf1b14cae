import type { AgentContext } from '../agentContext.ts';
import { AgentExit } from '../playSteps.ts';

const CONTROL_C = 0x03;
/** The exit code that a shell reports after Ctrl+C. */
const INTERRUPTED = 130;

/** Reads a line, echoed by the terminal. `undefined` after the timeout or the end of input. */
export async function readLine(
  context: AgentContext,
  timeoutMs?: number,
): Promise<string | undefined> {
  const bytes = await context.input.read(
    (received) => {
      const end = received.findIndex((byte) => byte === 0x0a || byte === 0x0d);
      return end < 0 ? undefined : end + 1;
    },
    { raw: false, timeoutMs },
  );
  return bytes?.toString('utf8').replace(/[\r\n]$/, '');
}

/** Reads one key: a character or an escape sequence. Ctrl+C ends the agent. */
export async function readKey(
  context: AgentContext,
  timeoutMs?: number,
): Promise<string | undefined> {
  const bytes = await context.input.read(keyLength, { raw: true, timeoutMs });
  if (bytes?.[0] === CONTROL_C) throw new AgentExit(INTERRUPTED);
  return bytes?.toString('utf8');
}

function keyLength(received: Buffer): number | undefined {
  const first = received[0];
  if (first === undefined) return undefined;
  if (first === 0x1b) {
    const sequence = /^\x1b(\[[0-9;?]*[ -/]*[@-~]|O[@-~])?/.exec(received.toString('latin1'));
    return sequence?.[0].length ?? 1;
  }
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return received.length >= length ? length : undefined;
}
