import type { CopiedAgentSession } from '../../common/branchRecord.ts';
import type { BegunMemory, PlannedMemory, RestoredMemory } from './agentMemory.ts';

/** Restores the agent's memory, partly while the branch's files are being created. */
export class BranchMemory {
  readonly #signal: AbortSignal;
  #begun: BegunMemory;
  #writing: Promise<void> | undefined;

  constructor(planned: PlannedMemory, signal: AbortSignal) {
    this.#signal = signal;
    this.#begun = planned.begin(signal);
  }

  /**
   * What will be created outside of the branch. Register it before it is created, so that AH can
   * remove it if the process is killed.
   */
  filesOutside(): Promise<CopiedAgentSession | undefined> {
    return this.#begun.filesOutside();
  }

  /** Writes the files outside of the branch; does nothing when called again. */
  writeOutside(): Promise<void> {
    return (this.#writing ??= this.#begun.writeOutside());
  }

  /** Call when the branch's workspace exists and `writeOutside` has settled. */
  restore(): Promise<RestoredMemory> {
    this.#signal.throwIfAborted();
    return this.#begun.restore();
  }

  /** Waits for writes in progress, then removes everything that was written. */
  async undo(): Promise<void> {
    await this.#writing?.catch(() => undefined); // Just wait for its end.
    await this.#begun.undo();
  }
}
