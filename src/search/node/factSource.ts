import type { FactKind } from '../../agents/common/events/fact.ts';

/** A session whose events are searched. */
export interface SearchedSession {
  readonly id: string;
  readonly folder: string;
}

/** A fact of some session, found or listed. */
export interface FoundFact {
  readonly session: string;
  /** The event's ID. */
  readonly event: string;
  readonly kind: FactKind;
  readonly timeMs: number;
  /** The byte offset in the recording, if known. */
  readonly byte: number | undefined;
  /** One line of text around the match. */
  readonly excerpt: string;
}

/** Searches and lists the facts of all sessions. */
export interface FactSource {
  /** Reads the new events of these sessions, and drops all other sessions. */
  update(sessions: readonly SearchedSession[]): Promise<void>;
  /** Facts with all words of the text, newest first. The last word may be a prefix. */
  search(text: string, limit: number): Promise<FoundFact[]>;
  /** The latest facts of these kinds, newest first. */
  latest(kinds: readonly FactKind[], limit: number): Promise<FoundFact[]>;
  /** Whether the index was deleted, so that a new one must be opened. */
  readonly isGone: boolean;
  close(): void;
}

/** Splits a query into words, with the same separators as the index. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

const EXCERPT_CHARACTERS = 160;

/** One line around the first match of any word. */
export function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = at < EXCERPT_CHARACTERS / 2 ? 0 : at - EXCERPT_CHARACTERS / 4;
  const cut = line.slice(start, start + EXCERPT_CHARACTERS);
  return `${start > 0 ? '…' : ''}${cut}${start + cut.length < line.length ? '…' : ''}`;
}
