import type { ExactValue } from '../../base/exactJson.ts';
import type { KnownResults } from './knownResults.ts';

/** What an agent wrote down of a session, and up to where it is wanted. */
export interface TrimRequest {
  /** The agent's record, a line each, whole. */
  readonly lines: readonly string[];
  /** That many of the lines were there at the moment; of the others only their own times tell. */
  readonly certainLines: number;
  readonly untilNs: bigint;
  /** Agents write a result down after they told of it: calls that were over, whatever the time in the record. */
  readonly results: KnownResults;
  /** The new session's id. */
  readonly session: string;
  /** Paths of the old folder become those of the new one. */
  readonly moved: (text: string) => string;
  /** Letters and digits, as many as asked for, never the same. */
  readonly randomText: (length: number) => string;
}

export interface TrimmedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: ExactValue;
}

/** A session that ends at the moment, and in which every tool call has its result. */
export interface TrimmedSession {
  readonly lines: readonly string[];
  readonly fromSession: string | undefined;
  readonly prompts: number;
  /** Those that are in it, in order. */
  readonly calls: readonly TrimmedCall[];
  /** Calls that were still running, and are not in it. */
  readonly openCalls: readonly TrimmedCall[];
  /** The agent's name for the last message that is in it. */
  readonly lastRecord?: string | undefined;
}
