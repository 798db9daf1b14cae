import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { parseEcho } from '../../../src/host/pty/echoProbe.ts';
import type { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { until } from '../ah.ts';

/** Waits until the terminal of a recorded program echoes input, or does not. */
export async function untilEcho(client: RecorderClient, state: 'on' | 'off'): Promise<void> {
  const { pid } = await client.status();
  const terminal = readlinkSync(`/proc/${pid}/fd/0`);
  const settings = () => execFileSync('stty', ['-a', '-F', terminal], { encoding: 'utf8' });
  await until(() => parseEcho(settings()) === state, `the echo to be ${state}`);
}
