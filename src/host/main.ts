import path from 'node:path';
import { text } from 'node:stream/consumers';
import { messageOf, UserError } from '../base/errors.ts';
import { parseExactJson } from '../base/exactJson.ts';
import type { LaunchAnswer, LaunchSpec } from '../node/sessions/launchSpec.ts';
import { keepHeapSmall } from '../node/processes/smallHeap.ts';
import { startSession } from './startSession.ts';

/** The recorder host: told on standard input what to record, answers in one line, then lives on its own. */
async function main(): Promise<void> {
  keepHeapSmall();
  // A terminal that closes takes its clients along, never the recorder.
  process.on('SIGHUP', () => {});
  process.stderr.on('error', () => {});
  process.stdout.on('error', () => {});
  const spec = parseExactJson(await text(process.stdin)) as unknown as LaunchSpec;
  const session = await startSession(spec, path.join(__dirname, 'modelWorker.cjs')).catch(
    (error: unknown) => {
      const code = error instanceof UserError ? error.code : 'recorder-failed';
      answer({ ok: false, code, message: messageOf(error) });
      process.exit(1);
    },
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => session.recorder.stop());
  }
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
