import type { Step } from './step.ts';

/** What to do when the agent is started with an instruction (`--prompt`). */
export interface Answer {
  /** Which instructions it is for; without it, for any. */
  readonly match: RegExp | undefined;
  readonly steps: readonly Step[];
}

export interface TranscriptSettings {
  /** Relative to the workspace folder, or absolute. */
  readonly path: string | undefined;
  readonly sessionId: string | undefined;
  /** Time of the first record, in milliseconds since the epoch; `undefined` takes the wall clock for every record. */
  readonly startTimeMs: number | undefined;
  /** Whether each line reaches the file in two writes, some milliseconds apart. */
  readonly partialLines: boolean;
  /** Bytes to cut off the end when the agent ends. */
  readonly truncateBytes: number;
}

export interface Scenario {
  readonly name: string;
  readonly seed: number;
  readonly transcript: TranscriptSettings;
  readonly steps: readonly Step[];
  readonly answers: readonly Answer[];
}

/** What is wrong with a scenario: one sentence per problem. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
