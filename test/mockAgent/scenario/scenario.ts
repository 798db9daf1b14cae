import type { Step } from './step.ts';

/** The steps for a start with an instruction (`--prompt`). */
export interface Answer {
  /** Matches instructions; undefined matches all. */
  readonly match: RegExp | undefined;
  readonly steps: readonly Step[];
}

export interface TranscriptSettings {
  /** Relative to the workspace folder, or absolute. */
  readonly path: string | undefined;
  readonly sessionId: string | undefined;
  /** The first record's time in milliseconds since the epoch; `undefined` uses the wall clock. */
  readonly startTimeMs: number | undefined;
  /** Whether each line is written in two parts, some milliseconds apart. */
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

/** The problems of a scenario, one sentence each. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
