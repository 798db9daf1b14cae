import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { messageOf, UserError } from '../base/errors.ts';
import { parseExactJson } from '../base/exactJson.ts';
import type { TerminalSize } from '../base/terminalSize.ts';
import type { LaunchAnswer, LaunchSpec } from '../sessions/node/launchSpec.ts';
import { keepHeapSmall } from '../platform/node/processes/smallHeap.ts';
import { startSession } from './startSession.ts';

/**
 * The recorder. Reads two lines of JSON from standard input, the launch specification and the size
 * of the terminal; answers with one line and then runs detached from the process that started it.
 */
async function main(): Promise<void> {
  keepHeapSmall();
  // Closing the terminal sends SIGHUP: it ends the clients, not the recorder.
  process.on('SIGHUP', () => {});
  // The starting process may close its ends of the pipes at any time.
  process.stderr.on('error', () => {});
  process.stdout.on('error', () => {});
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (!done) return parseExactJson(value);
    throw new UserError('abandoned', 'The process that started the recorder has ended.');
  };
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const stopped = once(stop.signal, 'abort').then(() => {
    throw new UserError('abandoned', 'The recorder was stopped.');
  });
  stopped.catch(() => {}); // Nothing awaits this promise after the start.
  const startup = async () => {
    const spec = (await nextLine()) as LaunchSpec;
    const size = Promise.race([nextLine() as Promise<TerminalSize>, stopped]);
    size.catch(() => {}); // startSession awaits it too and gets the error.
    return startSession(spec, size, __dirname);
  };
  const session = await startup().catch((error: unknown) => {
    const code = error instanceof UserError ? error.code : 'recorder-failed';
    answer({ ok: false, code, message: messageOf(error) });
    process.exit(1);
  });
  stop.signal.addEventListener('abort', () => session.recorder.stop());
  if (stop.signal.aborted) session.recorder.stop();
  // After a bug in one part, the other parts continue to record.
  process.on('uncaughtException', (error) => session.reportBug(error));
  process.on('unhandledRejection', (error) => session.reportBug(error));
  answer({ ok: true, hostSocket: session.hostSocket });
  await session.ended;
  process.exit(0);
}

function answer(value: LaunchAnswer): void {
  process.stdout.end(`${JSON.stringify(value)}\n`);
}

void main();
