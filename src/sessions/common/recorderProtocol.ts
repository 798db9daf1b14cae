import { UserError } from '../../base/errors.ts';
import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';

/** What a recorder host and its clients (the extension, the CLI) say to each other. */
export const RECORDER_PROTOCOL_VERSION = 1;

export interface AttachParams {
  /**
   * `state`: first the screen and scrollback as they are now, then what follows.
   * `start`: every byte from the first one.
   */
  readonly from: 'state' | 'start';
  /** The client is a terminal: it answers the program's questions, so the host's own model must not. */
  readonly answersQueries: boolean;
  /** A client that must not miss a byte is held back however far it lags; any other is brought forward by a fresh state. */
  readonly lossless: boolean;
  /** How many bytes may be on their way before the client has acknowledged any. */
  readonly windowBytes: number;
  /** Lines of scrollback wanted in a state. */
  readonly historyLines: number;
}

export interface SnapshotParams {
  readonly label: string;
  readonly kind: 'auto' | 'manual';
  readonly trigger: (typeof SNAPSHOT_TRIGGERS)[number];
}

export interface TerminalPlace {
  readonly cols: number;
  readonly rows: number;
  /** Count of program output bytes before this point. */
  readonly byteOffset: number;
}

export interface SessionStatus extends TerminalPlace {
  readonly sessionId: string;
  readonly pid: number;
  readonly clients: number;
  readonly isRunning: boolean;
  readonly trouble: string | null;
}

/** What clients may ask of, and tell, a host. */
export interface HostProtocol {
  readonly requests: {
    hello: {
      params: { protocolVersion: number };
      result: { protocolVersion: number; sessionId: string };
    };
    /** Followed by a `state`, then by what happens after it. */
    attach: { params: AttachParams; result: Record<string, never> };
    status: { params: Record<string, never>; result: SessionStatus };
    /** Keeps the files as they are now; answers with the line of `session.snapshots.jsonl`, or none where nothing changed. */
    snapshot: { params: SnapshotParams; result: { line: string | null } };
    /** Whether anything but the terminal is kept from now on: what the agent does, its transcript, what is typed. */
    capture: { params: { isOn: boolean }; result: Record<string, never> };
    /** Ends the program as closing its terminal would, and harder if it does not go. */
    stop: { params: Record<string, never>; result: Record<string, never> };
  };
  readonly events: {
    /** Keys, in the binary. */
    input: Record<string, never>;
    resize: { cols: number; rows: number };
    /** The client has taken this many more output bytes. */
    acknowledge: { bytes: number };
  };
}

/** What a host tells an attached client. */
export interface ClientProtocol {
  readonly requests: Record<string, never>;
  readonly events: {
    /** Program output, in the binary; `byteOffset` is that of its first byte. */
    output: { byteOffset: number };
    resized: { cols: number; rows: number };
    /**
     * Forget the screen and show this state, in the binary (empty at the very start). First of all, and whenever the client
     * lagged too far. An event, not a reply: output follows it at once, and must find it shown.
     */
    state: TerminalPlace;
    /** Writing fails (or works again: null); the program runs on. */
    trouble: { message: string | null };
    /**
     * The program has ended and all of it is recorded, but the screen is that of a flood that was passed over: the true one
     * follows when it is known, and then `exited`. A large flood on a busy machine takes a while.
     */
    ended: ProgramExit;
    /** After the last output, once the recording is complete on disk. */
    exited: ProgramExit;
  };
}

export interface ProgramExit {
  readonly exitCode: number;
  /** Number of the signal that ended the program, 0 if none. */
  readonly signal: number;
}

const SNAPSHOT_TRIGGERS = ['tool', 'command', 'git', 'manual', 'restore'] as const;

export function parseSize(value: unknown): { cols: number; rows: number } {
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
    historyLines: integer(historyLines, 0, 100_000, 'historyLines'),
  };
}

/** A label is a line of a list. */
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
  return new UserError('bad-request', `"${field}" is missing or out of range.`);
}
