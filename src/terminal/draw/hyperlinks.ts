import { attributesAt } from '../screen/attributes.ts';
import type { LinkData, LinkService, ScreenLine } from '../screen/screenTypes.ts';

/** Links kept before those no longer on any line are dropped; small enough to forget, large enough to sweep rarely. */
const SWEEP_AT = 4096;

/**
 * The hyperlinks (OSC 8) a terminal shows. xterm ties a link's life to markers that lose track of a line in scroll regions,
 * so that cells on the screen end up pointing at nothing; here a link lives as long as some cell uses it.
 */
export class Hyperlinks implements LinkService {
  readonly #links = new Map<number, LinkData>();
  readonly #idOfKey = new Map<string, number>();
  readonly #liveLines: () => Iterable<ScreenLine>;
  readonly #liveIds: () => Iterable<number>;
  #nextId = 1;
  #sweepAt = SWEEP_AT;

  /**
   * @param liveLines every line whose cells are still needed
   * @param liveIds links in use outside of lines
   */
  constructor(liveLines: () => Iterable<ScreenLine>, liveIds: () => Iterable<number>) {
    this.#liveLines = liveLines;
    this.#liveIds = liveIds;
  }

  /** A link with an explicit id is the same link wherever it is opened again; one without is a new one each time. */
  registerLink(data: LinkData): number {
    const key = keyOf(data);
    const known = key === undefined ? undefined : this.#idOfKey.get(key);
    if (known !== undefined) return known;
    if (this.#links.size >= this.#sweepAt) this.#sweep();
    const id = this.#nextId++;
    this.#links.set(id, data);
    if (key !== undefined) this.#idOfKey.set(key, id);
    return id;
  }

  addLineToLink(): void {
    // Which lines a link is on is found in their cells when it matters.
  }

  getLinkData(linkId: number): LinkData | undefined {
    return this.#links.get(linkId);
  }

  #sweep(): void {
    const live = new Set<number>(this.#liveIds());
    for (const line of this.#liveLines()) {
      for (let column = 0; column < line.length; column++) {
        live.add(attributesAt(line, column).urlId);
      }
    }
    for (const [id, data] of this.#links) {
      if (live.has(id)) continue;
      this.#links.delete(id);
      const key = keyOf(data);
      if (key !== undefined) this.#idOfKey.delete(key);
    }
    this.#sweepAt = Math.max(SWEEP_AT, this.#links.size * 2);
  }
}

function keyOf(data: LinkData): string | undefined {
  return data.id === undefined ? undefined : `${data.id};;${data.uri}`;
}
