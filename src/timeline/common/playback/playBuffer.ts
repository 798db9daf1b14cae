import type { Place, PlaybackSource, PlayItem } from './playback.ts';

/** Fetches the next chunk when fewer items than this are left. */
const LOW_ITEMS = 64;

/** The items to play next, fetched ahead. */
export class PlayBuffer {
  readonly #source: PlaybackSource;
  #items: PlayItem[] = [];
  #next = 0;
  #isComplete = false;
  #fetching: Promise<void> | undefined;
  #generation = 0;
  #growth = 0;

  constructor(source: PlaybackSource) {
    this.#source = source;
  }

  get needsData(): boolean {
    return this.#next >= this.#items.length && !this.#isComplete;
  }

  /** Whether all items that existed at the last fetch have been taken. */
  get isAtEnd(): boolean {
    return this.#next >= this.#items.length && this.#isComplete;
  }

  /** Takes the next item if it is due by `untilMs`. */
  takeDue(untilMs: number): PlayItem | undefined {
    const item = this.#items[this.#next];
    if (!item || item.place.timeMs > untilMs) return undefined;
    this.#next++;
    return item;
  }

  /**
   * Fetches at least one item, or finds out that there is none.
   * @param place position of the last item taken
   */
  async fill(place: Place): Promise<void> {
    if (!this.needsData) return;
    await this.#fetch(place);
  }

  prefetch(place: Place): void {
    if (this.#isComplete || this.#items.length - this.#next >= LOW_ITEMS) return;
    // Ignores a failure: `fill` fetches again and reports it.
    this.#fetch(place).catch(() => undefined);
  }

  /** Call this when the recording has grown: there may be items after the last known one. */
  grew(): void {
    this.#growth++;
    this.#isComplete = false;
  }

  clear(): void {
    this.#generation++;
    this.#items = [];
    this.#next = 0;
    this.#isComplete = false;
    this.#fetching = undefined;
  }

  #fetch(place: Place): Promise<void> {
    if (this.#fetching) return this.#fetching;
    const generation = this.#generation;
    const growth = this.#growth;
    const after = this.#items.at(-1)?.place ?? place;
    const fetching = this.#source
      .range(after)
      .then((chunk) => {
        if (generation !== this.#generation) return;
        this.#items = [...this.#items.slice(this.#next), ...chunk.items];
        this.#next = 0;
        // The recording may have grown during the fetch.
        this.#isComplete = chunk.isEnd && growth === this.#growth;
      })
      .finally(() => {
        if (this.#fetching === fetching) this.#fetching = undefined;
      });
    this.#fetching = fetching;
    return fetching;
  }
}
