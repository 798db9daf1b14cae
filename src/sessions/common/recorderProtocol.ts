import { UserError } from '../../base/errors.ts';
import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';

/**
 * Maximum scrollback lines that a client can request. They take 150 MB in the recorder at 120
 * columns.
 */
export const MAX_SCROLLBACK_LINES = 100_000;

/** Version of the protocol between a recorder and its clients: the extension and the CLI. */
export const RECORDER_PROTOCOL_VERSION = 1;

export interface AttachParams {
  /**
   * Which output the client gets.
   * `state`: the current screen and scrollback, then all further output.
   * `start`: all output from the first byte.
   */
  readonly from: 'state' | 'start';
  /**
   * The client is a terminal that answers queries, so the recorder's screen model must not answer.
   */
  readonly answersQueries: boolean;
  /**
   * The client gets every byte. Other clients skip output when they lag, and then get a new state.
   */
  readonly lossless: boolean;
  /** How many bytes the recorder may send before the client acknowledges any. */
  readonly windowBytes: number;
  /** Number of scrollback lines in a state; it has fewer if the recorder keeps fewer. */
  readonly historyLines: number;
}

export interface StopParams {
  /**
   * A user chose to stop this session. If not set, the client asks because of a signal or a broken
   * pipe.
   */
  readonly byUser?: boolean;
}

export interface SnapshotParams {
  readonly label: string;
  readonly kind: 'auto' | 'manual';
  readonly trigger: (typeof SNAPSHOT_TRIGGERS)[number];
}

export interface TerminalPlace extends TerminalSize {
  /** Number of output bytes before this point. */
  readonly byteOffset: number;
}

export interface SessionStatus extends TerminalPlace {
  readonly sessionId: string;
  readonly pid: number;
  readonly clients: number;
  readonly isRunning: boolean;
  readonly trouble: string | null;
  /** Missing from older recorders, which can't pause. */
  readonly isPaused?: boolean;
}

/** What a client may send to a recorder. */
export interface HostProtocol {
  readonly requests: {
    hello: {
      params: { protocolVersion: number };
      result: { protocolVersion: number; sessionId: string };
    };
    /** Followed by a `state` event, then by all further output. */
    attach: { params: AttachParams; result: Record<string, never> };
    status: { params: Record<string, never>; result: SessionStatus };
    /**
     * Takes a snapshot; answers with its line of `session.snapshots.jsonl`, or null if no file has
     * changed.
     */
    snapshot: { params: SnapshotParams; result: { line: string | null } };
    /** Pauses or resumes capture of agent events, transcripts and input. */
    capture: { params: { isOn: boolean }; result: Record<string, never> };
    /**
     * Pauses or resumes the recording. During a pause, clients get the output, but nothing is
     * stored.
     */
    pause: { params: { isPaused: boolean }; result: Record<string, never> };
    /** Ends the program with SIGHUP, like closing its terminal, then with stronger signals. */
    stop: { params: StopParams; result: Record<string, never> };
  };
  readonly events: {
    /** Keys, in the binary part. */
    input: Record<string, never>;
    resize: TerminalSize;
    /** The client has received this many more output bytes. */
    acknowledge: { bytes: number };
  };
}

/** What a recorder sends to an attached client. */
export interface ClientProtocol {
  readonly requests: Record<string, never>;
  readonly events: {
    /** Program output, in the binary part; `byteOffset` is the offset of its first byte. */
    output: { byteOffset: number };
    resized: TerminalSize;
    /**
     * Tells the client to clear the screen and show the state in the binary part, which is empty at
     * the session's start. Sent first, and when the client lagged too far. An event rather than a
     * reply, because the output after that state follows at once.
     */
    state: TerminalPlace;
    /**
     * The recorder can't write the recording, or can write it again (null). The program keeps
     * running.
     */
    trouble: { message: string | null };
    /**
     * The program has ended and the recording is complete, but the client skipped output. The last
     * screen follows when the recorder's screen model has it, which may take a while, and then
     * `exited`.
     */
    ended: ProgramExit;
    /** Sent after the last output, once the recording is complete on disk. */
    exited: ProgramExit;
  };
}

export interface ProgramExit {
  readonly exitCode: number;
  /** Number of the signal that ended the program; 0 if none did. */
  readonly signal: number;
  /** A user stopped the session before the program ended, so how it ended is no failure. */
  readonly stoppedByUser?: true;
}

const SNAPSHOT_TRIGGERS = ['tool', 'command', 'git', 'manual', 'restore'] as const;

export function parseSize(value: unknown): TerminalSize {
  const { cols, rows } = asObject(value);
  return {
    cols: integer(cols, 1, MAX_TERMINAL_SIDE, 'cols'),
    rows: integer(rows, 1, MAX_TERMINAL_SIDE, 'rows'),
  };
}

export function parseAttach(value: unknown): AttachParams {
  const { from, answersQueries, lossless, windowBytes, historyLines } = asObject(value);
  if (from !== 'state' && from !== 'start') throw badRequest('from');
  return {
    from,
    answersQueries: answersQueries === true,
    lossless: lossless === true,
    windowBytes: integer(windowBytes, 1024, 16 * 1024 * 1024, 'windowBytes'),
    historyLines: integer(historyLines, 0, MAX_SCROLLBACK_LINES, 'historyLines'),
  };
}

/** Lists show a label in one line. */
const MAX_LABEL_LENGTH = 1000;

export function parseSnapshot(value: unknown): SnapshotParams {
  const { label, kind, trigger } = asObject(value);
  if (typeof label !== 'string' || label.length > MAX_LABEL_LENGTH) throw badRequest('label');
  const known = SNAPSHOT_TRIGGERS.find((each) => each === trigger);
  if (!known) throw badRequest('trigger');
  return { label, kind: kind === 'manual' ? 'manual' : 'auto', trigger: known };
}

export function parseAcknowledge(value: unknown): number {
  return integer(asObject(value)['bytes'], 0, Number.MAX_SAFE_INTEGER, 'bytes');
}

export function parseCapture(value: unknown): boolean {
  const { isOn } = asObject(value);
  if (typeof isOn !== 'boolean') throw badRequest('isOn');
  return isOn;
}

export function parseStop(value: unknown): StopParams {
  return { byUser: asObject(value)['byUser'] === true };
}

export function parsePause(value: unknown): boolean {
  const { isPaused } = asObject(value);
  if (typeof isPaused !== 'boolean') throw badRequest('isPaused');
  return isPaused;
}

export function parseHello(value: unknown): number {
  return integer(asObject(value)['protocolVersion'], 0, 0xffff, 'protocolVersion');
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw badRequest('body');
  return value as Record<string, unknown>;
}

function integer(value: unknown, min: number, max: number, name: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw badRequest(name);
  }
  return value;
}

function badRequest(field: string): UserError {
  return new UserError('bad-request', `Bad request: "${field}" is missing or out of range.`);
}
