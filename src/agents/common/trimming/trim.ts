import type { KnownResults } from './knownResults.ts';
import type { RecordedCall } from './recordedCall.ts';

/** A transcript and the moment to trim it to. */
export interface TrimRequest {
  /** The complete lines of the transcript. */
  readonly lines: readonly string[];
  /**
   * How many lines, counted from the first, are known to have existed at the moment; for later
   * lines, the times in the records decide.
   */
  readonly certainLines: number;
  readonly untilNs: bigint;
  /**
   * Calls that were finished at the moment, since agents write a result to the transcript later
   * than they report it.
   */
  readonly results: KnownResults;
  /** The ID of the new session. */
  readonly session: string;
  /** Replaces paths of the old folder with those of the new one. */
  readonly moved: (text: string) => string;
  /** Returns random letters and digits. */
  readonly randomText: (length: number) => string;
}

/** A session that ends at the moment; every tool call in it has its result. */
export interface TrimmedSession {
  readonly lines: readonly string[];
  readonly fromSession: string | undefined;
  readonly prompts: number;
  /** The calls in the trimmed session, in order. */
  readonly calls: readonly RecordedCall[];
  /** Calls that were still running at the moment, and were removed. */
  readonly openCalls: readonly RecordedCall[];
  /** The agent's ID of the last message in the trimmed session. */
  readonly lastRecord?: string | undefined;
}
