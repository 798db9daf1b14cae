import type { Matcher, TextMatch } from './searchQuery.ts';
import { lastAtOrBelow } from './sortedNumbers.ts';

/** Lines are joined into texts of this length: one search of a long text is faster than a thousand of short ones. */
const CHUNK_LENGTH = 64 * 1024;
/** Two hours of an agent that redraws all the time; past this, what is older stays and what is new is not found. */
const MAX_LENGTH = 256 * 1024 * 1024;

/** A line that was on the screen. */
export interface TextPlace {
  /** The record that brought it there. */
  readonly recordIndex: number;
  readonly byteOffset: number;
  readonly timeMs: number;
  /** It had left again before that record was over, so that no frame between records shows it. */
  readonly isPassing: boolean;
}

export interface TextHit extends TextPlace {
  readonly line: string;
  /** Of the match, within the line. */
  readonly start: number;
  readonly length: number;
}

interface Chunk {
  readonly text: string;
  readonly starts: readonly number[];
  readonly places: readonly TextPlace[];
}

/** Every line that was ever on the screen, in the order in which they came, to be searched. */
export class TextIndex {
  readonly #chunks: Chunk[] = [];
  #lines: string[] = [];
  #starts: number[] = [];
  #places: TextPlace[] = [];
  #openLength = 0;
  #length = 0;

  /** In characters. */
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

  /** How many parts are closed and will not change. */
  get closedParts(): number {
    return this.#chunks.length;
  }

  /** The matches in a part; the one after the last closed part is still open. */
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
    // One hit a line: the next one leads to another moment, not to the same one again.
    if (line === lastLine) continue;
    lastLine = line;
    const start = starts[line]!;
    const end = (starts[line + 1] ?? text.length + 1) - 1;
    const from = match.start - start;
    const length = Math.min(match.length, end - match.start);
    hits.push({ ...places[line]!, line: text.slice(start, end), start: from, length });
  }
  return hits;
}
