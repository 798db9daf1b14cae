import { element } from '../element.ts';

/** A card with details, above the element that the pointer is on. */
export class HoverCard {
  readonly root = element('div', { class: 'card', attributes: { role: 'tooltip', hidden: '' } });

  /** @param anchor bounds of that element */
  show(anchor: DOMRect, ...content: readonly Node[]): void {
    this.root.replaceChildren(...content);
    this.root.hidden = false;
    const { width, height } = this.root.getBoundingClientRect();
    const left = anchor.left + anchor.width / 2 - width / 2;
    this.root.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
    this.root.style.top = `${Math.max(4, anchor.top - height - 8)}px`;
  }

  hide(): void {
    this.root.hidden = true;
  }
}
