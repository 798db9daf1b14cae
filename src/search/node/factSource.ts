import type { FactKind } from '../../agents/common/fact.ts';

/** A session whose events are searched. */
export interface SearchedSession {
  readonly id: string;
  readonly folder: string;
}

/** A fact of some session, found or listed. */
export interface FoundFact {
  readonly session: string;
  /** Id of the event. */
  readonly event: string;
  readonly kind: FactKind;
  readonly timeMs: number;
  /** Where in the recording, if that is known. */
  readonly byte: number | undefined;
  /** One line, around what was found. */
  readonly excerpt: string;
}

/** What all sessions did, to be searched and listed. */
export interface FactSource {
  /** Takes in what is new in these, and forgets all others. */
  update(sessions: readonly SearchedSession[]): Promise<void>;
  /** Facts in which all these words are, the last one maybe only begun; newest first. */
  search(text: string, limit: number): Promise<FoundFact[]>;
  /** The last facts of these kinds, newest first. */
  latest(kinds: readonly FactKind[], limit: number): Promise<FoundFact[]>;
  /** Whether it was taken away meanwhile: another has to be opened. */
  readonly isGone: boolean;
  close(): void;
}

/** The words of a question: what separates them is the same as in the index. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

const EXCERPT_CHARACTERS = 160;

/** A line around the first of the words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = at < EXCERPT_CHARACTERS / 2 ? 0 : at - EXCERPT_CHARACTERS / 4;
  const cut = line.slice(start, start + EXCERPT_CHARACTERS);
  return `${start > 0 ? '…' : ''}${cut}${start + cut.length < line.length ? '…' : ''}`;
}
