import { messageOf } from '../../base/errors.ts';
import type { HitBody, HitsBody, SearchParams } from '../../timeline/common/webviewProtocol.ts';

export interface SearchInput {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export interface SearchResult {
  /** From 0; -1 for none. */
  readonly index: number;
  readonly total: number;
  /** Fewer than all can be stepped through. */
  readonly listed: number;
  readonly progress: number;
  readonly isDone: boolean;
  readonly message: string | undefined;
}

export interface SearchPort {
  search(params: SearchParams): Promise<void>;
  show(result: SearchResult | undefined): void;
  mark(hits: readonly HitBody[]): void;
  /** Shows a hit. */
  go(hit: HitBody): void;
}

/** A search and where one is in what it found. The hits come a few at a time, in any order. */
export class SearchSession {
  readonly #port: SearchPort;
  #searchId = 0;
  #input: SearchInput | undefined;
  #hits: HitBody[] = [];
  #current: HitBody | undefined;
  #total = 0;
  #progress = 0;
  #isDone = true;
  #message: string | undefined;
  /** A step that was asked for before there was anything to step to. */
  #wanted: { direction: 1 | -1; byteOffset: number } | undefined;

  constructor(port: SearchPort) {
    this.#port = port;
  }

  get isActive(): boolean {
    return this.#input !== undefined;
  }

  async start(input: SearchInput): Promise<void> {
    const searchId = ++this.#searchId;
    this.#input = input.text === '' ? undefined : input;
    this.#hits = [];
    this.#current = undefined;
    this.#wanted = undefined;
    this.#total = 0;
    this.#progress = 0;
    this.#isDone = false;
    this.#message = undefined;
    this.#tell();
    try {
      await this.#port.search({ searchId, ...input });
    } catch (error) {
      if (searchId !== this.#searchId) return;
      this.#isDone = true;
      this.#message = messageOf(error);
      this.#tell();
    }
  }

  /** Searches anew what has grown since; the hit that one is at stays the one. */
  async again(): Promise<void> {
    if (!this.#input || !this.#isDone || this.#message !== undefined) return;
    const current = this.#current;
    const running = this.start(this.#input);
    this.#current = current;
    await running;
  }

  receive(found: HitsBody): void {
    if (found.searchId !== this.#searchId || !this.#input) return;
    this.#hits = [...this.#hits, ...found.hits].sort((a, b) => a.byteOffset - b.byteOffset);
    this.#total = found.total;
    this.#progress = found.progress;
    this.#isDone = found.isDone;
    if (this.#wanted && this.#hits.length > 0) {
      this.step(this.#wanted.direction, this.#wanted.byteOffset);
    } else this.#tell();
  }

  /** The next hit from the one that one is at, or from a place; past the last comes the first. */
  step(direction: 1 | -1, byteOffset: number): void {
    this.#wanted = undefined;
    if (this.#hits.length === 0) {
      if (!this.#isDone) this.#wanted = { direction, byteOffset };
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
    this.#tell();
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

  #tell(): void {
    this.#port.mark(this.#hits);
    if (!this.#input) return this.#port.show(undefined);
    this.#port.show({
      ...{ index: this.#index, total: this.#total, listed: this.#hits.length },
      ...{ progress: this.#progress, isDone: this.#isDone, message: this.#message },
    });
  }
}
