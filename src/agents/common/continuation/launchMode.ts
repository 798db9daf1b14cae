/** The transcript up to a moment, and the command line that the session was started with. */
export interface ModeRequest {
  /** The complete lines of the transcript; empty if there is none. */
  readonly lines: readonly string[];
  /**
   * How many lines, counted from the first, are known to have existed at the moment; for later
   * lines, the times in the records decide.
   */
  readonly certainLines: number;
  readonly untilNs: bigint;
  /** The agent's own arguments. */
  readonly args: readonly string[];
  /** Replaces paths of the old folder with those of the new one. */
  readonly moved: (text: string) => string;
}

/**
 * What an agent was allowed to do without asking, its model, and the options to launch it that way
 * again.
 */
export interface LaunchMode {
  /**
   * The permissions that the branch starts with, in the agent's own words; undefined if the agent's
   * settings decide.
   */
  readonly permissions: string | undefined;
  /** The permissions at the moment, if the agent can't be started with them. */
  readonly permissionsBefore?: string;
  readonly model: string | undefined;
  /** Options of the old command line that no longer hold at the moment. */
  readonly dropped: ReadonlySet<string>;
  /** Options to add in place of {@link dropped}. */
  readonly options: readonly string[];
  /** Sentences that say what will differ from the moment. */
  readonly warnings: readonly string[];
}

export const NO_MODE: LaunchMode = {
  permissions: undefined,
  model: undefined,
  dropped: new Set(),
  options: [],
  warnings: [],
};

/** Removes each text that repeats the one before it. */
export function changesOf(values: readonly string[]): string[] {
  return values.filter((value, index) => value !== values[index - 1]);
}
