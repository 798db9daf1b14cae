import type { Place, PlaybackSource, PlayItem } from './playback.ts';

/** With less than this in hand the next part is asked for while this one plays. */
const LOW_ITEMS = 64;

/** What will be played next, fetched ahead. */
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

  /** Everything that there was when it was last looked has been taken. */
  get isAtEnd(): boolean {
    return this.#next >= this.#items.length && this.#isComplete;
  }

  /** The next item, if its time has come. */
  takeDue(untilMs: number): PlayItem | undefined {
    const item = this.#items[this.#next];
    if (!item || item.place.timeMs > untilMs) return undefined;
    this.#next++;
    return item;
  }

  /** Gets at least one item, or learns that there is none. @param place what was taken last */
  async fill(place: Place): Promise<void> {
    if (!this.needsData) return;
    await this.#fetch(place);
  }

  prefetch(place: Place): void {
    if (this.#isComplete || this.#items.length - this.#next >= LOW_ITEMS) return;
    // Whoever needs the data next hears of the failure, by asking again.
    this.#fetch(place).catch(() => undefined);
  }

  /** There may be more than was said before. */
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
      .then((range) => {
        if (generation !== this.#generation) return;
        this.#items = [...this.#items.slice(this.#next), ...range.items];
        this.#next = 0;
        // It may have grown while the answer was on its way.
        this.#isComplete = range.isEnd && growth === this.#growth;
      })
      .finally(() => {
        if (this.#fetching === fetching) this.#fetching = undefined;
      });
    this.#fetching = fetching;
    return fetching;
  }
}
