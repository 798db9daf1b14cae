/**
 * How a branch gets the agent's memory: `resume` trims the transcript, `replay` sends a summary.
 */
export type ContinuationMethod = 'resume' | 'replay';

/** The moment of a recording to continue from. */
export interface ContinuationMoment {
  /** Number of output bytes before the moment. */
  readonly byte: number;
  readonly timeNs: bigint;
}

/** What the user can review before anything is written. */
export interface ContinuationPlan {
  readonly method: ContinuationMethod;
  /** Sentences for the user that say what will differ from the original. */
  readonly warnings: readonly string[];
  readonly details: ContinuationDetails;
}

/** What the agent will remember; also stored with the branch. Plain JSON. */
export interface ContinuationDetails {
  /** The ID of a known agent. */
  readonly agent: string;
  /** The agent's ID of the original session. */
  readonly fromSession?: string;
  /** The agent's ID of the new session; undefined for `replay`. */
  readonly toSession?: string;
  /** How many prompts the agent will remember. */
  readonly prompts: number;
  /** How many finished tool calls the agent will remember. */
  readonly toolCalls: number;
  /** The last finished tool call, in one line. */
  readonly lastTool?: string;
  /** What the agent may do without asking in the branch, in its own words. */
  readonly permissions?: string;
  /** What the agent could do without asking at the moment, if that differs from `permissions`. */
  readonly permissionsBefore?: string;
  readonly model?: string;
}

/** A prepared continuation: the agent can be started. */
export interface Continuation extends ContinuationPlan {
  /** Absolute path of the original session's program, or of the installed agent. */
  readonly program: string;
  /** Arguments of the program; they carry the message. */
  readonly cmd: readonly string[];
  /** Additions to the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The message, when the user has to type it because no argument can carry it. */
  readonly unsentMessage?: string;
  /** Files created outside the new workspace; the branch's record lists them. */
  readonly files: readonly string[];
  /** Removes the created files; harmless when they are gone already. */
  undo(): Promise<void>;
}
