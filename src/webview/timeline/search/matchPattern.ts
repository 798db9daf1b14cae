import type { SearchHit } from '../../../timeline/common/search/searchHits.ts';
import { compileQuery, type SearchQuery } from '../../../timeline/common/search/searchQuery.ts';

/** Maximum number of different texts in a pattern; more would slow down each frame. */
const MAX_TEXTS = 200;

/**
 * Returns a pattern that matches what a search found. For a regular expression, it matches the
 * found texts instead: an expression can take forever, so it runs on another thread, never in the
 * page.
 */
export function matchPattern(query: SearchQuery, hits: readonly SearchHit[]): RegExp | undefined {
  if (!query.isRegex) return compileQuery(query);
  const texts = hits.map(({ excerpt, start, length }) => excerpt.slice(start, start + length));
  // Longer texts first, since the first alternative that matches wins.
  const distinct = [...new Set(texts)].slice(0, MAX_TEXTS).sort((a, b) => b.length - a.length);
  if (distinct.length === 0) return undefined;
  const sources = distinct.map(
    (text) => compileQuery({ text, isRegex: false, isCaseSensitive: true }).source,
  );
  return new RegExp(sources.join('|'), 'g');
}
