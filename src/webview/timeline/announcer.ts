import { element } from './element.ts';

/** Tells those who do not see the page what has happened. */
export class Announcer {
  readonly root = element('div', {
    class: 'visually-hidden',
    attributes: { role: 'status', 'aria-live': 'polite' },
  });

  say(text: string): void {
    // The same words twice would not be said again.
    this.root.textContent = this.root.textContent === text ? `${text}\u00a0` : text;
  }
}
