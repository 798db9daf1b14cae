import type { Place } from '../playback/playback.ts';
import type { Matcher, TextMatch } from './searchQuery.ts';
import { lastAtOrBelow } from '../sortedNumbers.ts';

/**
 * Length to which lines are joined: one search of a long text is faster than many of short texts.
 */
const CHUNK_LENGTH = 64 * 1024;
/** Enough for two hours of an agent that redraws constantly. Later lines are not indexed. */
const MAX_LENGTH = 256 * 1024 * 1024;

/** Where a line appeared on the screen. */
export interface TextPlace extends Place {
  /**
   * Whether the line left the screen before its record ended: no frame between records shows it.
   */
  readonly isPassing: boolean;
}

/** A match in a line. */
export interface TextHit extends TextPlace, TextMatch {
  readonly line: string;
}

interface Chunk {
  readonly text: string;
  readonly starts: readonly number[];
  readonly places: readonly TextPlace[];
}

/** Searchable index of every line that was on the screen, in order of appearance. */
export class TextIndex {
  readonly #chunks: Chunk[] = [];
  #lines: string[] = [];
  #starts: number[] = [];
  #places: TextPlace[] = [];
  #openLength = 0;
  #length = 0;

  /** Number of characters. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= MAX_LENGTH;
  }

  append(line: string, place: TextPlace): void {
    if (this.isFull) return;
    this.#lines.push(line);
    this.#starts.push(this.#openLength);
    this.#places.push(place);
    this.#openLength += line.length + 1;
    this.#length += line.length + 1;
    if (this.#openLength >= CHUNK_LENGTH) this.#seal();
  }

  /** Number of parts that will not change any more. */
  get closedParts(): number {
    return this.#chunks.length;
  }

  /** The matches in a part. The part after the last closed one is still growing. */
  async searchPart(index: number, matcher: Matcher): Promise<TextHit[]> {
    const chunk = this.#chunks[index] ?? this.#open();
    return hitsIn(chunk, await matcher.matches(chunk.text));
  }

  #seal(): void {
    this.#chunks.push(this.#open());
    this.#lines = [];
    this.#starts = [];
    this.#places = [];
    this.#openLength = 0;
  }

  #open(): Chunk {
    return { text: this.#lines.join('\n'), starts: [...this.#starts], places: [...this.#places] };
  }
}

function hitsIn({ text, starts, places }: Chunk, matches: readonly TextMatch[]): TextHit[] {
  const hits: TextHit[] = [];
  let lastLine = -1;
  for (const match of matches) {
    const line = lastAtOrBelow(starts, starts.length, match.start);
    // One match per line, so that the next match leads to another moment.
    if (line === lastLine) continue;
    lastLine = line;
    // The `!`s: each line has a start and a place.
    const start = starts[line]!;
    const end = (starts[line + 1] ?? text.length + 1) - 1;
    const from = match.start - start;
    const length = Math.min(match.length, end - match.start);
    hits.push({ ...places[line]!, line: text.slice(start, end), start: from, length });
  }
  return hits;
}
