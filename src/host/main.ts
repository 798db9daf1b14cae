import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf, UserError } from '../base/errors.ts';
import { parseExactJson } from '../base/exactJson.ts';
import type { LaunchAnswer, LaunchSpec, TerminalSize } from '../sessions/node/launchSpec.ts';
import { keepHeapSmall } from '../platform/node/processes/smallHeap.ts';
import { startSession } from './startSession.ts';

/**
 * The recorder host: told on standard input what to record, and then how large its terminal is; answers in one line, then lives on
 * its own.
 */
async function main(): Promise<void> {
  keepHeapSmall();
  // A terminal that closes takes its clients along, never the recorder.
  process.on('SIGHUP', () => {});
  process.stderr.on('error', () => {});
  process.stdout.on('error', () => {});
  const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await told.next();
    if (!done) return parseExactJson(value);
    throw new UserError('abandoned', 'Whoever started the recorder is gone.');
  };
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const stopped = once(stop.signal, 'abort').then(() => {
    throw new UserError('abandoned', 'The recorder was stopped.');
  });
  stopped.catch(() => {});
  const startup = async () => {
    const spec = (await next()) as LaunchSpec;
    const size = Promise.race([next() as Promise<TerminalSize>, stopped]);
    size.catch(() => {}); // Told when it is needed.
    return startSession(spec, size, path.join(__dirname, 'modelWorker.cjs'));
  };
  const session = await startup().catch((error: unknown) => {
    const code = error instanceof UserError ? error.code : 'recorder-failed';
    answer({ ok: false, code, message: messageOf(error) });
    process.exit(1);
  });
  stop.signal.addEventListener('abort', () => session.recorder.stop());
  if (stop.signal.aborted) session.recorder.stop();
  // A bug in one part must not cost the recording: what still works goes on.
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
