import { UserError } from '../../base/errors.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import type { Provenance } from '../../branching/common/provenance.ts';

/** A day. Node's timers allow at most 24 days. */
export const MAX_SNAPSHOT_MINUTES = 1440;

/**
 * How to start a recording: one line of JSON for the recorder; the next line is the terminal's
 * size.
 */
export interface LaunchSpec {
  readonly id: string;
  /** The session's own folder, which the recorder creates. */
  readonly folder: string;
  /** Absolute path of the recording, inside or outside of the folder. */
  readonly recording: string;
  /** The recording is the user's own file, and the session's folder is removed at the end. */
  readonly isExternal: boolean;
  /** The absolute path of the program, then its arguments. */
  readonly cmd: readonly string[];
  readonly cwd: string;
  /** The folder to take snapshots of; if undefined, no snapshots are taken. */
  readonly workspace?: string;
  /** Minutes between automatic snapshots of changed files; 0 disables them. */
  readonly snapshotMinutes?: number;
  /** ID of the known agent whose events are captured. */
  readonly agent?: string;
  /** The agent may run hooks without review. Some agents run AH's hooks only then. */
  readonly allowsUnreviewedHooks?: boolean;
  /** Record typed input as well, except where the terminal does not show it. */
  readonly capturesInput?: boolean;
  /** Replace recognizable secrets by stars in everything that is written. */
  readonly redacts?: boolean;
  /** Make an interactive shell announce its commands, so that a snapshot follows each. */
  readonly integratesShell?: boolean;
  /** Capture only the terminal until the user resumes capture. */
  readonly isCaptureOff?: boolean;
  /** Character widths of the terminal that shows the session; VS Code's default if undefined. */
  readonly unicodeVersion?: UnicodeVersion;
  /**
   * Scrollback lines of the terminal that shows the session. The recorder keeps more if its minimum
   * for other clients is larger.
   */
  readonly scrollbackLines?: number;
  readonly env: Readonly<Record<string, string>>;
  readonly brotliQ: number;
  readonly ipc: IpcChoice;
  /**
   * Whether the recorder waits for a client before it reads output: the client shows it and answers
   * queries.
   */
  readonly waitForClient: boolean;
  /** The original session and moment, if the session is a branch. */
  readonly branchOf?: Provenance;
}

export type IpcChoice =
  { readonly kind: 'uds' } | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** The recorder's answer: one line of JSON on its standard output. */
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
    throw new UserError('bad-argument', `"${text}" must be auto, uds or tcp:HOST:PORT.`);
  }
  if (!LOOPBACK.test(host)) {
    throw new UserError(
      'bad-argument',
      `Other machines could reach ${host}. Use 127.0.0.1 or localhost.`,
    );
  }
  return { kind: 'tcp', host: host.replace(/^\[|\]$/g, ''), port };
}
