import type { SearchHit } from './searchHits.ts';

/** A found text that is listed on its own, such as a prompt. */
export interface ListedText {
  /** Relative to the start of the session, as in a hit. */
  readonly timeMs: number;
  readonly excerpt: string;
}

/** The first of several equal items, and how many of them there are. */
export interface Counted<T> {
  readonly first: T;
  readonly count: number;
}

/** The screen shows a prompt or an answer within about this time of its event. */
const NEAR_MS = 60_000;

/**
 * The hits of a session by time, each text once: agents draw the same line again and again. Leaves
 * out what the listed texts contain already.
 */
export function distinctHits(
  hits: readonly SearchHit[],
  listed: readonly ListedText[],
): Counted<SearchHit>[] {
  const texts = listed.map(({ timeMs, excerpt }) => ({ timeMs, words: wordsIn(excerpt) }));
  const isListed = ({ timeMs, excerpt }: SearchHit) => {
    const words = wordsIn(excerpt);
    return texts.some(
      (text) => Math.abs(text.timeMs - timeMs) <= NEAR_MS && areSame(words, text.words),
    );
  };
  const excluded = new Set(hits.filter(isListed).map(({ excerpt }) => wordsIn(excerpt)));
  const rest = hits.filter(({ excerpt }) => !excluded.has(wordsIn(excerpt)));
  return countDistinct(rest, ({ excerpt }) => wordsIn(excerpt)).sort(
    (a, b) => a.first.timeMs - b.first.timeMs,
  );
}

/** Counts items with the same key, ordered by the first item of each key. */
export function countDistinct<T>(items: readonly T[], keyOf: (item: T) => string): Counted<T>[] {
  const found = new Map<string, Counted<T>>();
  for (const item of items) {
    const key = keyOf(item);
    const before = found.get(key);
    found.set(key, { first: before?.first ?? item, count: (before?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

/** A text without case, spaces and frames, which differ between the screen and the event. */
export function wordsIn(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join(' ') ?? text.trim();
}

/** Whether the screen shows a part of the listed text, or all of it with a little around it. */
function areSame(shown: string, listed: string): boolean {
  if (contains(listed, shown)) return true;
  return contains(shown, listed) && shown.length <= 2 * listed.length;
}

function contains(text: string, part: string): boolean {
  return ` ${text} `.includes(` ${part} `);
}
