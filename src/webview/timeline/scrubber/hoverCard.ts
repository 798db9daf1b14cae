import { element } from '../element.ts';

/** Distance of the card from its anchor and from the edges of the page. */
const DISTANCE = 4;

/** How long the card stays when the pointer leaves, so that it does not flicker between marks. */
const LEAVE_MS = 150;

/** A card with details, shown above the element under the pointer. */
export class HoverCard {
  readonly root = element('div', { class: 'card', attributes: { role: 'tooltip', hidden: '' } });

  #leaving: ReturnType<typeof setTimeout> | undefined;

  /** @param anchor the card is shown above this rectangle and never covers it */
  show(anchor: DOMRect, ...content: readonly Node[]): void {
    clearTimeout(this.#leaving);
    this.root.replaceChildren(...content);
    this.root.hidden = false;
    // In a low page, cut off the end of the card, so that it does not cover the anchor.
    this.root.style.maxHeight = `${anchor.top - 2 * DISTANCE}px`;
    const { width, height } = this.root.getBoundingClientRect();
    const left = anchor.left + anchor.width / 2 - width / 2;
    const rightmost = innerWidth - width - DISTANCE;
    this.root.style.left = `${Math.max(DISTANCE, Math.min(left, rightmost))}px`;
    this.root.style.top = `${anchor.top - height - DISTANCE}px`;
  }

  /** Hides the card, unless it is shown again at once. */
  hide(): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => (this.root.hidden = true), LEAVE_MS);
  }
}
