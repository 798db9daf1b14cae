import { UserError } from '../../base/errors.ts';
import { parseWords, type Words } from '../../base/words.ts';

/**
 * What the timeline's page and the editor say to each other; the thread that reads the recording answers the first part of it.
 * Times are milliseconds since the recording began.
 */
export const WEBVIEW_PROTOCOL_VERSION = 1;

export interface PlaceBody {
  readonly timeMs: number;
  readonly byteOffset: number;
  readonly recordIndex: number;
}

export interface FrameBody extends PlaceBody {
  readonly cols: number;
  readonly rows: number;
}

/** `length` bytes of the binary belong to it; with a size it is a whole state, else output. */
export interface RangeItemBody extends PlaceBody {
  readonly length: number;
  readonly cols?: number;
  readonly rows?: number;
}

export interface RangeBody {
  readonly items: readonly RangeItemBody[];
  readonly isEnd: boolean;
  readonly endMs: number;
}

export type FrameParams =
  | { readonly timeMs: number }
  | { readonly byteOffset: number }
  | { readonly stepFrom: number; readonly direction: 1 | -1 }
  | { readonly recordIndex: number; readonly text: string }
  | { readonly end: true };

export interface SearchParams {
  /** Given by the page; what is found carries it. A new search ends the one before. */
  readonly searchId: number;
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export interface HitBody extends PlaceBody {
  /** Part of the line, with the match in it. */
  readonly excerpt: string;
  readonly start: number;
  readonly length: number;
  /** Shown only while its record was printed. */
  readonly isPassing: boolean;
  /** It is in what a moment says, not on the screen. */
  readonly momentId?: string;
}

export interface HitsBody {
  readonly searchId: number;
  readonly hits: readonly HitBody[];
  /** Found so far, those too that were not sent. */
  readonly total: number;
  /** 0 to 1. */
  readonly progress: number;
  readonly isDone: boolean;
}

export interface MomentBody {
  readonly id: string;
  readonly kind: string;
  readonly timeMs: number;
  readonly byteOffset: number;
  readonly title: string;
  readonly detail?: string;
  readonly exact?: string;
  readonly isOpen?: boolean;
  readonly isError?: boolean;
  readonly isManual?: boolean;
  readonly snapshotId?: string;
  readonly changesId?: string;
  readonly turn?: number;
}

export interface ExtentBody {
  /** Nanoseconds since the epoch, in decimal. */
  readonly startNs: string;
  readonly endMs: number;
  readonly totalBytes: number;
  readonly recordCount: number;
  /** Every record has been looked at: activity, gaps and moments are complete. */
  readonly isIndexed: boolean;
  readonly isFinished: boolean;
  /** Why the end is missing, in a sentence. */
  readonly problem: string | null;
  /** Start and end of each idle time, one after the other. */
  readonly gaps: readonly number[];
}

/** A session that was branched off this one. */
export interface BranchBody {
  readonly sessionId: string;
  readonly name: string;
  readonly timeMs: number;
  readonly byteOffset: number;
  readonly durationMs: number;
  readonly isRunning: boolean;
}

/** What is read from the recording. */
export type DataRequests = {
  frame: { params: FrameParams; result: FrameBody };
  range: { params: PlaceBody; result: RangeBody };
  /** Output between each pair of neighbouring edges. */
  activity: { params: { edges: readonly number[] }; result: { counts: readonly number[] } };
  /** Answered when the search is over; what it finds comes as `hits`. */
  search: { params: SearchParams; result: Record<string, never> };
};

/** A part of a session as text: from the line `from` on, it is this now. */
export interface TranscriptBody {
  readonly from: number;
  readonly lines: readonly TranscriptLineBody[];
  /** Everything that was recorded so far is in it. */
  readonly isCurrent: boolean;
}

export interface TranscriptLineBody {
  /** A kind of moment, or `screen`, `text` or `omitted`. */
  readonly kind: string;
  readonly text: string;
  readonly byteOffset: number;
  readonly timeMs: number;
  /** When one is at that byte, where that is later than it first showed. */
  readonly lastMs?: number;
  /** How many lines were omitted. */
  readonly count?: number;
  readonly momentId?: string;
  readonly detail?: string;
  readonly isError?: boolean;
  readonly snapshotId?: string;
  readonly turn?: number;
}

export type DataEvents = {
  extent: ExtentBody;
  moments: { readonly moments: readonly MomentBody[] };
  hits: HitsBody;
  /** The recording cannot be read any more, or again: null. What is shown may stay. */
  trouble: { readonly message: string | null };
  /** It is another recording now: ask for everything anew. */
  replaced: Record<string, never>;
};

export interface SessionBody {
  /** None for a file that belongs to no session. */
  readonly sessionId: string | null;
  readonly name: string;
  readonly isRunning: boolean;
  readonly stateText: string;
}

/** What can be done at a moment, if something is registered that does it. */
export const MOMENT_ACTIONS = [
  'reveal',
  'branch',
  'snapshot',
  'diff',
  'restore',
  'pin',
  'link',
] as const;
export type MomentAction = (typeof MOMENT_ACTIONS)[number];

export interface ActionParams {
  readonly action: MomentAction;
  readonly momentId: string | null;
  readonly timeMs: number;
  readonly byteOffset: number;
}

export interface HelloBody {
  readonly protocolVersion: number;
  readonly session: SessionBody;
  readonly font: { readonly family: string; readonly size: number };
  /** Of letters on their background, as the editor's own terminals keep it. */
  readonly minimumContrast: number;
  readonly actions: readonly MomentAction[];
  readonly branches: readonly BranchBody[];
  /** Where a link leads that was opened with it; null for none. */
  readonly reveal: FrameParams | null;
}

/** What the page may ask of, and tell, the editor. */
export interface TimelineHostProtocol {
  readonly requests: DataRequests & {
    hello: { params: { protocolVersion: number }; result: HelloBody };
    runAction: { params: ActionParams; result: Record<string, never> };
    openSession: { params: { sessionId: string }; result: Record<string, never> };
  };
  readonly events: Record<string, never>;
}

/** What the editor tells the page. */
export interface TimelinePageProtocol {
  readonly requests: Record<string, never>;
  readonly events: DataEvents & {
    session: SessionBody;
    actions: { readonly actions: readonly MomentAction[] };
    branches: { readonly branches: readonly BranchBody[] };
    reveal: { readonly target: FrameParams };
  };
}

/** What the editor asks of the thread that reads a recording, and hears from it. */
export interface TimelineThreadProtocol {
  readonly requests: DataRequests & {
    open: { params: { file: string; words: Words }; result: ExtentBody };
    /** From now on the session is told as text too. */
    transcribe: { params: Record<string, never>; result: Record<string, never> };
  };
  readonly events: Record<string, never>;
}

export interface TimelineThreadClientProtocol {
  readonly requests: Record<string, never>;
  readonly events: ThreadEvents;
}

export type ThreadEvents = DataEvents & { transcript: TranscriptBody };

/** More than any screen has pixels. */
const MAX_EDGES = 8193;
const MAX_TEXT_LENGTH = 10_000;

export function parseFrameParams(value: unknown): FrameParams {
  const { timeMs, byteOffset, stepFrom, direction, recordIndex, text, end } = asObject(value);
  if (end === true) return { end };
  if (timeMs !== undefined) return { timeMs: time(timeMs, 'timeMs') };
  if (byteOffset !== undefined) return { byteOffset: count(byteOffset, 'byteOffset') };
  if (recordIndex !== undefined) {
    return { recordIndex: count(recordIndex, 'recordIndex'), text: shortText(text, 'text') };
  }
  if (direction !== 1 && direction !== -1) throw badRequest('direction');
  return { stepFrom: count(stepFrom, 'stepFrom'), direction };
}

export function parsePlace(value: unknown): PlaceBody {
  const { timeMs, byteOffset, recordIndex } = asObject(value);
  return {
    timeMs: time(timeMs, 'timeMs'),
    byteOffset: count(byteOffset, 'byteOffset'),
    recordIndex: recordIndex === -1 ? -1 : count(recordIndex, 'recordIndex'),
  };
}

export function parseActivity(value: unknown): { edges: number[] } {
  const { edges } = asObject(value);
  if (!Array.isArray(edges) || edges.length < 2 || edges.length > MAX_EDGES) {
    throw badRequest('edges');
  }
  return { edges: edges.map((edge: unknown) => finite(edge, 'edges')) };
}

export function parseSearch(value: unknown): SearchParams {
  const { searchId, text, isRegex, isCaseSensitive } = asObject(value);
  return {
    searchId: count(searchId, 'searchId'),
    text: shortText(text, 'text'),
    isRegex: isRegex === true,
    isCaseSensitive: isCaseSensitive === true,
  };
}

export function parseAction(value: unknown): ActionParams {
  const { action, momentId, timeMs, byteOffset } = asObject(value);
  const known = MOMENT_ACTIONS.find((name) => name === action);
  if (!known) throw badRequest('action');
  return {
    action: known,
    momentId: momentId === null ? null : shortText(momentId, 'momentId'),
    timeMs: time(timeMs, 'timeMs'),
    byteOffset: count(byteOffset, 'byteOffset'),
  };
}

export function parseOpenSession(value: unknown): { sessionId: string } {
  return { sessionId: shortText(asObject(value)['sessionId'], 'sessionId') };
}

export function parseOpen(value: unknown): { file: string; words: Words } {
  const { file, words } = asObject(value);
  return { file: shortText(file, 'file'), words: parseWords(words) };
}

export function parseWebviewHello(value: unknown): number {
  return count(asObject(value)['protocolVersion'], 'protocolVersion');
}

export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw badRequest('body');
  return value as Record<string, unknown>;
}

function finite(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badRequest(name);
  return value;
}

/** Milliseconds of a recording: what nanoseconds in a safe integer can hold. */
export function time(value: unknown, name: string): number {
  const ms = finite(value, name);
  if (ms < 0 || ms > Number.MAX_SAFE_INTEGER / 1e6) throw badRequest(name);
  return ms;
}

export function count(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw badRequest(name);
  }
  return value;
}

function shortText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) throw badRequest(name);
  return value;
}

export function badRequest(field: string): UserError {
  return new UserError('bad-request', `"${field}" is missing or out of range.`);
}
