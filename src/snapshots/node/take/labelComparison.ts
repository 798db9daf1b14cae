import type { TakeParts } from './takeWorkspaceSnapshot.ts';

/** Time limit for comparing two snapshots for a label. */
const COMPARE_MS = 1000;

/** Compares each snapshot with the one before, for labels that name the changed files. */
export class LabelComparison {
  readonly #parts: Pick<TakeParts, 'clock' | 'provider'>;
  /** The reference of the last snapshot. */
  #lastRef: string | undefined;
  #running: AbortController | undefined;

  constructor(parts: Pick<TakeParts, 'clock' | 'provider'>) {
    this.#parts = parts;
  }

  /** Ends a running comparison; it then returns no paths. */
  giveUp(): void {
    this.#running?.abort();
  }

  /** Call after each snapshot: the next one is compared with it. */
  onDidTake(ref: string): void {
    this.#lastRef = ref;
  }

  /** Returns the paths that differ from the snapshot before; empty if they are unknown. */
  async changedPaths(ref: string): Promise<readonly string[]> {
    if (this.#lastRef === undefined) return [];
    const running = new AbortController();
    this.#running = running;
    const timer = this.#parts.clock.schedule(COMPARE_MS, () => running.abort());
    try {
      const provider = await this.#parts.provider;
      const changes = await provider.diff(this.#lastRef, ref, running.signal);
      return changes.map(({ path }) => path);
    } catch {
      return []; // The snapshot before was removed, for example; the label is then a general one.
    } finally {
      timer.dispose();
    }
  }
}
