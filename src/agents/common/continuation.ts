/** How an agent's memory comes along to a moment: by a trimmed copy of its record of the session, or by telling it again what was said. */
export type ContinuationMethod = 'resume' | 'replay';

/** Where in a recording to go on. */
export interface ContinuationMoment {
  /** Count of output bytes before it. */
  readonly byte: number;
  readonly timeNs: bigint;
}

/** What is known before anything is written. */
export interface ContinuationPlan {
  readonly method: ContinuationMethod;
  /** Sentences for people: what will not be as it was. */
  readonly warnings: readonly string[];
  readonly details: ContinuationDetails;
}

/** For provenance, and to say what the agent will know. JSON as it is. */
export interface ContinuationDetails {
  /** Id of a known agent. */
  readonly agent: string;
  /** The agent's own name for the session that goes on. */
  readonly fromSession?: string;
  /** The agent's own name for the new one; it has none before it is made, and none when it starts afresh. */
  readonly toSession?: string;
  /** Prompts that the agent will know of. */
  readonly prompts: number;
  /** Tool calls, each with its result, that the agent will know of. */
  readonly toolCalls: number;
  /** What the last of them was, one line for people. */
  readonly lastTool?: string;
}

/** Everything is in place: the agent can be started. */
export interface Continuation extends ContinuationPlan {
  /** Absolute: the one of the old session, or where the agent is now. */
  readonly program: string;
  /** What follows the program on its command line; carries the message. */
  readonly cmd: readonly string[];
  /** To add to the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A message that no argument can carry: the person has to type it. */
  readonly unsentMessage?: string;
  /** Files that were made outside the new workspace, for whoever keeps account of them. */
  readonly files: readonly string[];
  /** Removes what was made. Harmless when it is gone already. */
  undo(): Promise<void>;
}
