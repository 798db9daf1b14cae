import { element } from '../element.ts';

/** Distance of the card from its anchor and from the edges of the page. */
const DISTANCE = 4;

/** A card with details, above what the pointer is on. */
export class HoverCard {
  readonly root = element('div', { class: 'card', attributes: { role: 'tooltip', hidden: '' } });

  /** @param anchor the card is above its top, which nothing of the card covers */
  show(anchor: DOMRect, ...content: readonly Node[]): void {
    this.root.replaceChildren(...content);
    this.root.hidden = false;
    // In a low page, the end of the card is cut off rather than what is below the anchor.
    this.root.style.maxHeight = `${anchor.top - 2 * DISTANCE}px`;
    const { width, height } = this.root.getBoundingClientRect();
    const left = anchor.left + anchor.width / 2 - width / 2;
    const rightmost = innerWidth - width - DISTANCE;
    this.root.style.left = `${Math.max(DISTANCE, Math.min(left, rightmost))}px`;
    this.root.style.top = `${anchor.top - height - DISTANCE}px`;
  }

  hide(): void {
    this.root.hidden = true;
  }
}
