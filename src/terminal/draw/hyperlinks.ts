import { attributesAt } from '../screen/attributes.ts';
import type { LinkData, LinkService, ScreenLine } from '../screen/screenTypes.ts';

/** When there are this many links, those that no line uses are dropped. */
const SWEEP_AT = 4096;

/**
 * The hyperlinks (OSC 8) of a terminal. xterm's markers lose lines in scroll regions, so that cells
 * on the screen refer to deleted links; here a link exists as long as a cell uses it.
 */
export class Hyperlinks implements LinkService {
  readonly #links = new Map<number, LinkData>();
  readonly #idOfKey = new Map<string, number>();
  readonly #liveLines: () => Iterable<ScreenLine>;
  readonly #liveIds: () => Iterable<number>;
  #nextId = 1;
  #sweepAt = SWEEP_AT;

  /**
   * @param liveLines all lines that may contain links
   * @param liveIds links that are in use outside of lines
   */
  constructor(liveLines: () => Iterable<ScreenLine>, liveIds: () => Iterable<number>) {
    this.#liveLines = liveLines;
    this.#liveIds = liveIds;
  }

  /** A link with an explicit ID is the same each time it is opened; a link without one is new. */
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
    // Does nothing: `#sweep` finds the links in the cells.
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
