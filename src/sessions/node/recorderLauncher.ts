import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { dataFolder } from '../../platform/node/paths.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import type { LaunchAnswer, LaunchSpec } from './launchSpec.ts';

/** A new session's ID: it sorts by time, and its last part is short to type. */
export function newSessionId(now = new Date()): string {
  const [day, time] = now.toISOString().replace(/[-:]/g, '').slice(0, 15).split('T');
  return `${day}-${time}-${randomBytes(3).toString('hex')}`;
}

export function defaultSessionFolder(id: string): string {
  return path.join(dataFolder(), 'sessions', id);
}

/** A recorder that was started before its terminal exists. */
export interface PreparedRecorder {
  /** Starts the program, once the terminal exists. Returns when the recorder listens. */
  begin(size: TerminalSize): Promise<{ hostSocket: string }>;
  /**
   * Ends the recorder without starting the program. If it took a first snapshot, the next pruning
   * deletes it. Has no effect after `begin`.
   */
  abandon(): void;
}

/** Starts a recorder that outlives this process; returns when it listens. */
export function launchRecorder(
  hostFile: string,
  spec: LaunchSpec,
  size: TerminalSize,
): Promise<{ hostSocket: string }> {
  return prepareRecorder(hostFile, spec).begin(size);
}

/** Starts a recorder that prepares as much as possible before the size of its terminal is known. */
export function prepareRecorder(hostFile: string, spec: LaunchSpec): PreparedRecorder {
  const child = spawn(process.execPath, [hostFile], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // This is the recorder's own environment; the program's is in the specification.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    // Not the user's folder: a recorder that runs in it would keep its disk from being unmounted.
    cwd: path.parse(process.cwd()).root,
  });
  child.stdin.on('error', () => {}); // The recorder has ended; its answer gives the reason.
  child.stdin.write(encodeLine(spec));
  const answered = answerOf(child);
  answered.catch(() => {}); // `begin` awaits it and throws.
  return {
    async begin(size) {
      child.stdin.end(encodeLine(size));
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

/** One line of JSON. Escapes characters that readline takes for line ends. */
function encodeLine(value: unknown): string {
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
      else reject(new Error(`The recorder did not start: ${errors.trim() || 'no reason given'}`));
    });
    child.on('error', reject);
  });
}
