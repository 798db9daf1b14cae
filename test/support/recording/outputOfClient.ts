import type { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';

/** Attaches a read-only client from the start of the session. @returns all output until now */
export async function outputOfClient(client: RecorderClient): Promise<() => string> {
  let shown = '';
  client.onOutput((bytes) => {
    shown += Buffer.from(bytes).toString();
    client.acknowledge(bytes.length);
  });
  const attach = { from: 'start', answersQueries: false, lossless: true } as const;
  await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
  return () => shown;
}
