export type MakingStep = 'files' | 'carrying' | 'agent';

export interface MakeOptions {
  readonly signal: AbortSignal;
  /** Whether the next window that opens the branch's workspace starts the agent. */
  readonly isWaiting: boolean;
  /** @param detail the file, snapshot or agent that the step works on */
  readonly onProgress?: (step: MakingStep, detail: string) => void;
}
