import type { Fact, FactKind } from '../../agents/common/fact.ts';
import { factOf } from '../../agents/common/fact.ts';
import { readEvents } from '../../sessions/node/eventsFile.ts';
import {
  excerptOf,
  wordsOf,
  type FactSource,
  type FoundFact,
  type SearchedSession,
} from './factSource.ts';

/** The same without a database: everything is read each time. For editors whose Node has none. */
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
      const said = new Set(wordsOf(fact.text).map(folded));
      const wanted = words.map(folded);
      const begun = wanted.pop()!;
      return (
        wanted.every((word) => said.has(word)) && [...said].some((word) => word.startsWith(begun))
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
          ...{ session: id, event: event.id, kind: fact.kind, byte: event.byte },
          timeMs: Number(event.timeNs / 1000n) / 1000,
          excerpt: excerptOf(fact.text, words),
        });
      }
      found = found.sort((a, b) => b.timeMs - a.timeMs).slice(0, limit);
    }
    return found;
  }
}

/** As the index compares words: without case and accents. */
function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
