import { element } from './element.ts';

/** Announces changes to screen readers. */
export class Announcer {
  readonly root = element('div', {
    class: 'visually-hidden',
    attributes: { role: 'status', 'aria-live': 'polite' },
  });

  announce(text: string): void {
    // A screen reader ignores a text that stays the same, so a trailing space changes it.
    this.root.textContent = this.root.textContent === text ? `${text}\u00a0` : text;
  }
}
