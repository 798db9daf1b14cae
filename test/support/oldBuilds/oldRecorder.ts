import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { unpackFixture } from './oldFixtures.ts';

const PACKAGES = path.resolve(import.meta.dirname, '../../../node_modules');

export interface OldRecorder {
  readonly id: string;
  readonly recording: string;
  readonly hostSocket: string;
  /** Resolves when the recorder's process has ended. */
  readonly ended: Promise<unknown>;
  /** Kills the recorder, unless it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts the recorder of an old build with the arguments of that build's launcher. They are written out
 * here, so that they don't change with the current launcher.
 * @param data the data folder
 * @param workspace the folder to snapshot
 */
export async function startOldRecorder(
  data: string,
  workspace: string,
  cmd: readonly string[],
): Promise<OldRecorder> {
  unpackFixture('recorder', data);
  const dist = path.join(data, 'dist');
  symlinkSync(PACKAGES, path.join(dist, 'node_modules'));
  const id = '20261118-120000-01d01d';
  const folder = path.join(data, 'sessions', id);
  const recording = path.join(folder, 'session.ahr');
  const spec = {
    id,
    folder,
    recording,
    isExternal: false,
    cmd,
    cwd: workspace,
    workspace,
    capturesInput: true,
    brotliQ: 4,
    ipc: { kind: 'uds' },
    waitForClient: false,
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', HOME: data },
  };
  const child = spawn(process.execPath, [path.join(dist, 'host.cjs')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    env: { ...process.env, AH_DATA_DIR: data },
  });
  const ended = once(child, 'exit');
  child.stdin.end(`${JSON.stringify(spec)}\n${JSON.stringify({ cols: 80, rows: 24 })}\n`);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const answer = JSON.parse(line) as { ok: boolean; hostSocket: string };
  if (!answer.ok) throw new Error(line);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { id, recording, hostSocket: answer.hostSocket, ended, kill };
}
