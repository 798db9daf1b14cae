import type { Place } from '../playback/playback.ts';
import type { SearchQuery } from './searchQuery.ts';

export interface SearchRequest extends SearchQuery {
  /**
   * An ID that the page chooses and that the matches repeat. A new search ends the previous one.
   */
  readonly searchId: number;
}

/** A match, and where to go to see it. */
export interface SearchHit extends Place {
  /** Part of the line, with the match in it. */
  readonly excerpt: string;
  /** Where the match starts within the excerpt. */
  readonly start: number;
  readonly length: number;
  /** Whether the line left the screen before its record ended. */
  readonly isPassing: boolean;
  /** Set when the match is in the text of a moment, not on the screen. */
  readonly momentId?: string;
}

/** The next matches of a search. */
export interface SearchHits {
  readonly searchId: number;
  readonly hits: readonly SearchHit[];
  /** Matches found so far, including those that are not sent. */
  readonly total: number;
  /** The part of the recording that was searched, from 0 to 1. */
  readonly progress: number;
  readonly isDone: boolean;
}
