import type { Fact, FactKind } from '../../agents/common/events/fact.ts';
import { factOf } from '../../agents/common/events/fact.ts';
import { readEvents } from '../../sessions/node/eventsFile.ts';
import {
  excerptOf,
  wordsOf,
  type FactSource,
  type FoundFact,
  type SearchedSession,
} from './factSource.ts';

/** Searches without a database, reading all events each time, where Node has no `node:sqlite`. */
export class FactScan implements FactSource {
  readonly isGone = false;
  readonly #secrets: readonly string[];
  #sessions: readonly SearchedSession[] = [];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  update(sessions: readonly SearchedSession[]): Promise<void> {
    this.#sessions = sessions;
    return Promise.resolve();
  }

  search(text: string, limit: number): Promise<FoundFact[]> {
    const words = wordsOf(text);
    if (words.length === 0) return Promise.resolve([]);
    return this.#find(words, limit, (fact) => {
      const found = new Set(wordsOf(fact.text).map(folded));
      const complete = words.slice(0, -1).map(folded);
      const [prefix = ''] = words.slice(-1).map(folded);
      return (
        complete.every((word) => found.has(word)) &&
        [...found].some((word) => word.startsWith(prefix))
      );
    });
  }

  latest(kinds: readonly FactKind[], limit: number): Promise<FoundFact[]> {
    return this.#find([], limit, (fact) => kinds.includes(fact.kind));
  }

  close(): void {
    this.#sessions = [];
  }

  async #find(
    words: readonly string[],
    limit: number,
    matches: (fact: Fact) => boolean,
  ): Promise<FoundFact[]> {
    let found: FoundFact[] = [];
    for (const { id, folder } of this.#sessions) {
      for (const event of await readEvents(folder)) {
        const fact = factOf(event, this.#secrets);
        if (!fact || !matches(fact)) continue;
        found.push({
          session: id,
          event: event.id,
          kind: fact.kind,
          byte: event.byte,
          timeMs: Number(event.timeNs / 1000n) / 1000,
          excerpt: excerptOf(fact.text, words),
        });
      }
      found = found.sort((a, b) => b.timeMs - a.timeMs).slice(0, limit);
    }
    return found;
  }
}

/** Removes case and accents, as the index does. */
function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
