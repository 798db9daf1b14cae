import { messageOf } from '../../../base/errors.ts';
import type {
  SearchHit,
  SearchHits,
  SearchRequest,
} from '../../../timeline/common/search/searchHits.ts';
import type { SearchQuery } from '../../../timeline/common/search/searchQuery.ts';
import { matchPattern } from './matchPattern.ts';

export interface SearchResult {
  /** Index of the current match; -1 for none. */
  readonly index: number;
  readonly total: number;
  /** Number of matches that the user can step through; at most `total`. */
  readonly listed: number;
  readonly progress: number;
  readonly isDone: boolean;
  readonly message: string | undefined;
}

export interface SearchPort {
  search(params: SearchRequest): Promise<void>;
  show(result: SearchResult | undefined): void;
  /** @param pattern matches the found texts on the screen */
  mark(hits: readonly SearchHit[], pattern: RegExp | undefined): void;
  /** Goes to a match. */
  go(hit: SearchHit): void;
}

/** A search and the current match. Matches arrive in parts, in any order. */
export class SearchSession {
  readonly #port: SearchPort;
  #searchId = 0;
  #input: SearchQuery | undefined;
  #hits: SearchHit[] = [];
  #current: SearchHit | undefined;
  #total = 0;
  #progress = 0;
  #isDone = true;
  #message: string | undefined;
  /** A step requested before the first match arrived. */
  #pendingStep: { direction: 1 | -1; byteOffset: number } | undefined;

  constructor(port: SearchPort) {
    this.#port = port;
  }

  get isActive(): boolean {
    return this.#input !== undefined;
  }

  async start(input: SearchQuery): Promise<void> {
    const searchId = ++this.#searchId;
    this.#input = input.text === '' ? undefined : input;
    this.#hits = [];
    this.#current = undefined;
    this.#pendingStep = undefined;
    this.#total = 0;
    this.#progress = 0;
    this.#isDone = false;
    this.#message = undefined;
    this.#update();
    try {
      await this.#port.search({ searchId, ...input });
    } catch (error) {
      if (searchId !== this.#searchId) return;
      this.#isDone = true;
      this.#message = messageOf(error);
      this.#update();
    }
  }

  /** Repeats the search in a recording that has grown; keeps the current match. */
  async refresh(): Promise<void> {
    if (!this.#input || !this.#isDone || this.#message !== undefined) return;
    const current = this.#current;
    const running = this.start(this.#input);
    this.#current = current;
    await running;
  }

  receive(found: SearchHits): void {
    if (found.searchId !== this.#searchId || !this.#input) return;
    this.#hits = [...this.#hits, ...found.hits].sort((a, b) => a.byteOffset - b.byteOffset);
    this.#total = found.total;
    this.#progress = found.progress;
    this.#isDone = found.isDone;
    if (this.#pendingStep && this.#hits.length > 0) {
      this.step(this.#pendingStep.direction, this.#pendingStep.byteOffset);
    } else this.#update();
  }

  /** Goes to the next match from the current one, or from a byte offset; wraps around. */
  step(direction: 1 | -1, byteOffset: number): void {
    this.#pendingStep = undefined;
    if (this.#hits.length === 0) {
      if (!this.#isDone) this.#pendingStep = { direction, byteOffset };
      return;
    }
    const index = this.#index;
    if (index >= 0) this.#current = this.#hits.at((index + direction) % this.#hits.length);
    else if (direction > 0) {
      this.#current = this.#hits.find((hit) => hit.byteOffset > byteOffset) ?? this.#hits[0];
    } else {
      this.#current =
        this.#hits.findLast((hit) => hit.byteOffset < byteOffset) ?? this.#hits.at(-1);
    }
    this.#update();
    if (this.#current) this.#port.go(this.#current);
  }

  get #index(): number {
    const current = this.#current;
    if (!current) return -1;
    return this.#hits.findIndex(
      ({ recordIndex, excerpt, start }) =>
        recordIndex === current.recordIndex &&
        excerpt === current.excerpt &&
        start === current.start,
    );
  }

  #update(): void {
    this.#port.mark(this.#hits, this.#input && matchPattern(this.#input, this.#hits));
    if (!this.#input) return this.#port.show(undefined);
    this.#port.show({
      index: this.#index,
      total: this.#total,
      listed: this.#hits.length,
      progress: this.#progress,
      isDone: this.#isDone,
      message: this.#message,
    });
  }
}
