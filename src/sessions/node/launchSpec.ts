import { UserError } from '../../base/errors.ts';
import type { Provenance } from '../../branching/common/provenance.ts';

/** A day. Timers take no more than 24 of them. */
export const MAX_SNAPSHOT_MINUTES = 1440;

/** Of a terminal, in characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** What a recorder host is told at its start: a line of JSON on its standard input. The size of its terminal is the next one. */
export interface LaunchSpec {
  readonly id: string;
  /** The session's own folder; the host creates it. */
  readonly folder: string;
  /** Absolute path of the recording, inside the folder or wherever the user wants it. */
  readonly recording: string;
  /** The recording is the user's own file, and the folder goes when the session ends. */
  readonly isExternal: boolean;
  /** An absolute program path first. */
  readonly cmd: readonly string[];
  readonly cwd: string;
  /** The folder whose files are kept at moments; none are without it. */
  readonly workspace?: string;
  /** After how many minutes they are kept again if they have changed, whatever happens; 0: not by time. */
  readonly snapshotMinutes?: number;
  /** Id of the known agent that it is, whose doings are followed. */
  readonly agent?: string;
  /** The user lets that agent run hooks that nobody reviewed, the project's own included; some pass on nothing otherwise. */
  readonly allowsUnreviewedHooks?: boolean;
  /** What is typed is recorded too, as far as it is seen on the screen. */
  readonly capturesInput?: boolean;
  /** Secrets that can be told as such are written down nowhere: stars stand in their place. */
  readonly redacts?: boolean;
  /** Nothing but the terminal is kept until somebody turns it on. */
  readonly isCaptureOff?: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly brotliQ: number;
  readonly ipc: IpcChoice;
  /** Nothing is read from the program before the first client is there to see it, and to answer what it asks. */
  readonly waitForClient: boolean;
  /** The session that it is branched off. */
  readonly branchOf?: Provenance;
}

export type IpcChoice =
  { readonly kind: 'uds' } | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** The host's one line of answer on its standard output. */
export type LaunchAnswer =
  | { readonly ok: true; readonly hostSocket: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/;

/** `auto`, `uds` or `tcp:host:port`. */
export function parseIpcChoice(text: string): IpcChoice {
  if (text === 'uds') return { kind: 'uds' };
  if (text === 'auto') {
    return process.platform === 'win32'
      ? { kind: 'tcp', host: '127.0.0.1', port: 0 }
      : { kind: 'uds' };
  }
  const match = /^tcp:(.+):(\d{1,5})$/.exec(text);
  const host = match?.[1];
  const port = Number(match?.[2]);
  if (!host || port > 65535) {
    throw new UserError('bad-argument', `"${text}" is not one of auto, uds, tcp:host:port.`);
  }
  if (!LOOPBACK.test(host)) {
    throw new UserError(
      'bad-argument',
      `${host} is not an address of this machine alone; use 127.0.0.1 or localhost.`,
    );
  }
  return { kind: 'tcp', host: host.replace(/^\[|\]$/g, ''), port };
}
