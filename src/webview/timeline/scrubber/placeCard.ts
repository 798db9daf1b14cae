import type { ScreenState } from '../../../timeline/common/playback/playback.ts';
import { element } from '../element.ts';
import { clockText, positionText } from '../timeText.ts';
import type { TimelineModel } from '../timelineModel.ts';
import { gapText } from './gapText.ts';
import type { HoverCard } from './hoverCard.ts';
import { Thumbnail } from './thumbnail.ts';

/** The hover card of a place on the scrubber: its time, and the screen at that time. */
export class PlaceCard {
  readonly #model: TimelineModel;
  readonly #card: HoverCard;
  readonly #thumbnail: Thumbnail;
  readonly #text = element('div', { class: 'card-place' });
  #anchor: DOMRect | undefined;

  constructor(
    model: TimelineModel,
    card: HoverCard,
    frameAt: (timeMs: number) => Promise<ScreenState>,
  ) {
    this.#model = model;
    this.#card = card;
    this.#thumbnail = new Thumbnail(frameAt, () => this.#place());
  }

  /** @param withThumbnail false while the player itself shows the same screen */
  show(anchor: DOMRect, timeMs: number, withThumbnail: boolean): void {
    this.#anchor = anchor;
    this.#text.textContent = this.#textOf(timeMs);
    this.#thumbnail.unicodeVersion = this.#model.extent.unicodeVersion;
    if (withThumbnail) this.#thumbnail.show(timeMs);
    else this.#thumbnail.hide();
    this.#place();
  }

  hide(): void {
    this.#anchor = undefined;
    this.#thumbnail.hide();
    this.#card.hide();
  }

  #place(): void {
    if (this.#anchor) this.#card.show(this.#anchor, this.#thumbnail.root, this.#text);
  }

  #textOf(timeMs: number): string {
    const { startNs, gaps } = this.#model.extent;
    const place = `${positionText(timeMs, true)} · ${clockText(startNs, timeMs)}`;
    const gap = gaps.find(({ fromMs, toMs }) => timeMs > fromMs && timeMs < toMs);
    return gap ? `${place} · ${gapText(gap)}` : place;
  }
}
