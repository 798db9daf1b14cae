import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { dataFolder } from '../../platform/node/paths.ts';
import type { LaunchAnswer, LaunchSpec, TerminalSize } from './launchSpec.ts';

/** A new session's id: sorts by time, and its last part is short to type. */
export function newSessionId(now = new Date()): string {
  const [day, time] = now.toISOString().replace(/[-:]/g, '').slice(0, 15).split('T');
  return `${day}-${time}-${randomBytes(3).toString('hex')}`;
}

export function defaultSessionFolder(id: string): string {
  return path.join(dataFolder(), 'sessions', id);
}

/** A recorder that gets ready for a program whose terminal is not there yet. */
export interface ReadyingRecorder {
  /** The terminal is there: the program can start. Returns once the recorder listens. */
  begin(size: TerminalSize): Promise<{ hostSocket: string }>;
  /** There will be no terminal: nothing is started; a first snapshot stays until the next pruning. Of no effect after `begin`. */
  abandon(): void;
}

/** Starts a recorder host that outlives this process; returns once it listens. */
export function launchRecorder(
  hostFile: string,
  spec: LaunchSpec,
  size: TerminalSize,
): Promise<{ hostSocket: string }> {
  return readyRecorder(hostFile, spec).begin(size);
}

/** Starts a recorder host that does what it can before the size of its terminal is known. */
export function readyRecorder(hostFile: string, spec: LaunchSpec): ReadyingRecorder {
  const child = spawn(process.execPath, [hostFile], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // The host's own environment; the program's comes in the specification.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    // Not the user's folder: a recorder must not keep a disk from being unmounted.
    cwd: path.parse(process.cwd()).root,
  });
  child.stdin.on('error', () => {}); // It died: its exit says why.
  child.stdin.write(tell(spec));
  const answered = answerOf(child);
  answered.catch(() => {}); // Told to whoever begins.
  return {
    async begin(size) {
      child.stdin.end(tell(size));
      const answer = await answered;
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      if (!answer.ok) throw new UserError(answer.code, answer.message);
      return { hostSocket: answer.hostSocket };
    },
    abandon: () => child.stdin.end(),
  };
}

/** One line, also for who takes other characters for ends of lines, as readline does. */
function tell(value: unknown): string {
  const text = stringifyExactJson(value as ExactValue);
  const line = text.replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
  return `${line}\n`;
}

function answerOf(child: ChildProcessWithoutNullStreams): Promise<LaunchAnswer> {
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.stdout.on('end', () => {
      if (text.endsWith('\n')) resolve(JSON.parse(text) as LaunchAnswer);
      else reject(new Error(`The recorder did not start. ${errors.trim()}`));
    });
    child.on('error', reject);
  });
}
