/** The transcript up to a moment, and the command line that the session was started with. */
export interface ModeRequest {
  /** The complete lines of the transcript; empty if there is none. */
  readonly lines: readonly string[];
  /** How many first lines existed at the moment; for the others only their own times decide. */
  readonly certainLines: number;
  readonly untilNs: bigint;
  /** The agent's own arguments. */
  readonly args: readonly string[];
  /** Replaces paths of the old folder with those of the new one. */
  readonly moved: (text: string) => string;
}

/** What an agent was allowed to do without asking, and its model; and how to launch it so again. */
export interface LaunchMode {
  /** What the branch starts with, in the agent's own words; undefined if its settings decide. */
  readonly permissions: string | undefined;
  /** What the agent was allowed at the moment, where it can't be started with that. */
  readonly permissionsBefore?: string;
  readonly model: string | undefined;
  /** Options of the old command line that no longer hold at the moment. */
  readonly dropped: ReadonlySet<string>;
  /** Options that take their place. */
  readonly options: readonly string[];
  /** Sentences: what will differ from the moment. */
  readonly warnings: readonly string[];
}

export const NO_MODE: LaunchMode = {
  permissions: undefined,
  model: undefined,
  dropped: new Set(),
  options: [],
  warnings: [],
};

/** The texts without repetitions in a row. */
export function changesOf(values: readonly string[]): string[] {
  return values.filter((value, index) => value !== values[index - 1]);
}
