import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressor } from '../../src/platform/node/files/brotli.ts';
import { Catalogue, type CataloguedSession } from '../../src/sessions/node/catalogue.ts';
import { FileSource } from '../../src/platform/node/files/fileSource.ts';
import type { TerminalSize } from '../../src/base/terminalSize.ts';
import type { LaunchSpec } from '../../src/sessions/node/launchSpec.ts';
import { launchRecorder, newSessionId } from '../../src/sessions/node/recorderLauncher.ts';
import { RecordingReader } from '../../src/recording/read/reader.ts';
import type { AhrRecord } from '../../src/recording/format/records.ts';
import { pace } from './pace.ts';

export const dist = path.resolve(import.meta.dirname, '../../dist');
export const cliFile = path.join(dist, 'cli.cjs');
export const hostFile = path.join(dist, 'host.cjs');

export interface RunResult {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The real product with its own data folder; {@link AhSandbox.dispose} ends all its processes. */
export class AhSandbox {
  readonly folder: string;
  readonly catalogue: Catalogue;

  constructor(folder: string) {
    this.folder = folder;
    this.catalogue = new Catalogue(path.join(folder, 'catalogue'));
  }

  get env(): NodeJS.ProcessEnv {
    // Most tests don't need snapshots, and run in this repository.
    return { ...process.env, AH_DATA_DIR: this.folder, AH_SNAPSHOTS: '0' };
  }

  /** The environment of programs that the recorder starts. */
  get launchEnv(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: this.folder };
  }

  /** Starts the CLI; standard input is empty unless piped to. */
  start(...args: string[]): ChildProcess {
    return spawn(process.execPath, [cliFile, ...args], { env: this.env, stdio: 'pipe' });
  }

  async run(...args: string[]): Promise<RunResult> {
    const child = this.start(...args);
    child.stdin!.end();
    return collect(child);
  }

  /** Starts a recorder without any client, as the editor would. */
  async launch(
    cmd: readonly string[],
    { cols = 80, rows = 24, ...options }: Partial<LaunchSpec & TerminalSize> = {},
    host = hostFile,
  ): Promise<LaunchedSession> {
    const id = newSessionId();
    const folder = path.join(this.folder, 'sessions', id);
    const recording = path.join(folder, 'session.ahr');
    const spec: LaunchSpec = {
      id,
      folder,
      recording,
      cmd,
      isExternal: false,
      cwd: this.folder,
      env: this.launchEnv,
      brotliQ: 4,
      ipc: { kind: 'uds' },
      waitForClient: false,
      ...options,
    };
    process.env['AH_DATA_DIR'] = this.folder; // The host is started with this process's environment.
    const { hostSocket } = await launchRecorder(host, spec, { cols, rows });
    return {
      id,
      folder,
      recording: spec.recording,
      hostSocket,
      session: () => this.catalogue.get(id),
    };
  }

  /** Waits until all recorders of this sandbox have ended. */
  async settled(timeoutMs = 60_000): Promise<void> {
    await until(() => this.recorders().length === 0, 'every recorder to be gone', timeoutMs);
  }

  /** Process IDs of the recorders of this sandbox. */
  recorders(): number[] {
    return processes().filter((pid) => {
      const environment = readProc(pid, 'environ');
      return (
        environment.includes(`AH_DATA_DIR=${this.folder}\0`) &&
        // The editor reaches the same file by another path.
        readProc(pid, 'cmdline').includes(path.join('dist', 'host.cjs'))
      );
    });
  }

  async dispose(): Promise<void> {
    await this.killRecorders();
  }

  /** Kills every recorder of this sandbox without waiting. @returns their process IDs */
  signalRecorders(): number[] {
    const pids = this.recorders();
    for (const pid of pids) kill(pid);
    return pids;
  }

  /** Kills every recorder of this sandbox; returns when all their threads have ended. */
  async killRecorders(): Promise<void> {
    const pids = this.signalRecorders();
    await until(() => pids.every(isGone), 'killed recorders to be gone');
  }
}

export interface LaunchedSession {
  readonly id: string;
  readonly folder: string;
  readonly recording: string;
  readonly hostSocket: string;
  session(): Promise<CataloguedSession>;
}

export async function collect(child: ChildProcess): Promise<RunResult> {
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout!.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, stdout: Buffer.concat(stdout), stderr };
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 30_000,
): Promise<void> {
  const limitMs = timeoutMs * pace;
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain for ${what}.`);
    await sleep(10);
  }
}

export async function readRecording(
  file: string,
): Promise<{ reader: RecordingReader; records: AhrRecord[] }> {
  const source = await FileSource.open(file);
  const reader = await RecordingReader.open(source, brotliDecompressor);
  const records: AhrRecord[] = [];
  for await (const record of reader.records()) records.push(record);
  await source.close();
  return { reader, records };
}

export function outputOf(records: readonly AhrRecord[]): Buffer {
  return Buffer.concat(records.flatMap((record) => (record.kind === 'data' ? [record.bytes] : [])));
}

export function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Kills the process, unless it has ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A zombie is listed until its parent reads its exit code, but has no threads. */
function isGone(pid: number): boolean {
  const state = readProc(pid, 'stat').replace(/^.*\) /s, '')[0];
  return state === undefined || (state === 'Z' && threadsOf(pid) <= 1);
}

/** Empty if the process has ended. */
function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
