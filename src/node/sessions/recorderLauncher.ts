import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { dataFolder } from '../paths.ts';
import type { LaunchAnswer, LaunchSpec } from './launchSpec.ts';

/** A new session's id: sorts by time, and its last part is short to type. */
export function newSessionId(now = new Date()): string {
  const [day, time] = now.toISOString().replace(/[-:]/g, '').slice(0, 15).split('T');
  return `${day}-${time}-${randomBytes(3).toString('hex')}`;
}

export function defaultSessionFolder(id: string): string {
  return path.join(dataFolder(), 'sessions', id);
}

/** Starts a recorder host that outlives this process; returns once it listens. */
export async function launchRecorder(
  hostFile: string,
  spec: LaunchSpec,
): Promise<{ hostSocket: string }> {
  const child = spawn(process.execPath, [hostFile], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // The host's own environment; the program's comes in the specification.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    // Not the user's folder: a recorder must not keep a disk from being unmounted.
    cwd: path.parse(process.cwd()).root,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => {}); // It died at once: its exit says why.
  child.stdin.end(stringifyExactJson(spec as unknown as ExactValue));
  const answer = await new Promise<LaunchAnswer>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.stdout.on('end', () => {
      if (text.endsWith('\n')) resolve(JSON.parse(text) as LaunchAnswer);
      else reject(new Error(`The recorder did not start. ${errors.trim()}`));
    });
    child.on('error', reject);
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  if (!answer.ok) throw new UserError(answer.code, answer.message);
  return { hostSocket: answer.hostSocket };
}
