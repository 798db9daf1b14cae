/**
 * The timelines that an earlier extension host opened and this one has not restored: recordings,
 * and the titles of their tabs.
 */
export class EarlierTimelines {
  readonly #titles: Map<string, string>;

  /** @param stored what {@link all} returned to an earlier extension host */
  constructor(stored: unknown) {
    const entries = Array.isArray(stored) ? stored : [];
    this.#titles = new Map(entries.filter(isEntry));
  }

  /** Pairs of recording and title. */
  get all(): readonly (readonly [string, string])[] {
    return [...this.#titles];
  }

  /**
   * The title of a recording's tab; undefined if several tabs have that title, because a tab does
   * not tell which recording it shows.
   */
  uniqueTitle(recording: string): string | undefined {
    const title = this.#titles.get(recording);
    const isUnique = [...this.#titles.values()].filter((each) => each === title).length === 1;
    return isUnique ? title : undefined;
  }

  delete(recording: string): void {
    this.#titles.delete(recording);
  }

  /** Forgets the timelines whose tabs were closed. @param titles of the open tabs with timelines */
  keep(titles: ReadonlySet<string>): void {
    for (const [recording, title] of this.#titles)
      if (!titles.has(title)) this.#titles.delete(recording);
  }
}

/** Checks what another version of the extension may have stored. */
function isEntry(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((x) => typeof x === 'string');
}
