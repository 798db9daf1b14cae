import { element } from '../element.ts';

/** A few lines about what the pointer is on. Never in the way of it. */
export class HoverCard {
  readonly root = element('div', { class: 'card', attributes: { role: 'tooltip', hidden: '' } });

  /** @param anchor what it is about, in the page */
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
