import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { echoIn } from '../../src/host/pty/echoProbe.ts';
import type { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { until } from './ah.ts';

/** Waits until the terminal of a recorded program shows what is typed, or hides it. */
export async function untilEcho(client: RecorderClient, state: 'on' | 'off'): Promise<void> {
  const { pid } = await client.status();
  const terminal = readlinkSync(`/proc/${pid}/fd/0`);
  const settings = () => execFileSync('stty', ['-a', '-F', terminal], { encoding: 'utf8' });
  await until(() => echoIn(settings()) === state, `the echo to be ${state}`);
}
