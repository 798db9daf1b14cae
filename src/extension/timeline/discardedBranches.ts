import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/** Finds out which branches were discarded: those without a session and without a record. */
export class DiscardedBranches {
  readonly #store: SessionStore;
  readonly #registry = new BranchRegistry();
  #ids: ReadonlySet<string> = new Set();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** @returns whether the result has changed */
  async check(ids: readonly string[]): Promise<boolean> {
    const found = new Set<string>();
    for (const id of new Set(ids)) {
      const isListed = this.#store.sessions.some(({ meta }) => meta.id === id);
      if (!isListed && !(await this.#registry.get(id))) found.add(id);
    }
    const hasChanged = [...found].join() !== [...this.#ids].join();
    this.#ids = found;
    return hasChanged;
  }
}
