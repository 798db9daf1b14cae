import type { Catalogue } from '../../../src/sessions/node/catalogue.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { until } from '../../support/ah.ts';
import { isProcess } from './isProcess.ts';

/** Stops all running sessions and waits for their recorders. */
export async function stopSessions(catalogue: Catalogue): Promise<void> {
  const running = (await catalogue.list()).filter(({ meta }) => meta.state === 'running');
  for (const { meta } of running) {
    // The session has already ended.
    const client = await RecorderClient.connect(meta.hostSocket).catch(() => undefined);
    await client?.stop();
    client?.dispose();
  }
  const pids = (await catalogue.list()).map(({ meta }) => meta.host.pid);
  await until(() => !pids.some(isProcess), 'the recorders to be gone', 20_000);
}
