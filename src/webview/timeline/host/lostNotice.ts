import * as l10n from '@vscode/l10n';
import { element, icon } from '../element.ts';
import type { SavedState } from './savedState.ts';

/** What is needed to open a page again after its extension host was killed. */
export interface LostPage {
  readonly recording: string;
  readonly at: SavedState['at'];
  readonly instruction: string;
}

/** Says that the extension does not answer, and offers to reload the page. */
export class LostNotice {
  readonly #page: () => LostPage;
  readonly #link = element('a', { text: l10n.t('Reload'), attributes: { href: '#' } });
  readonly root = element(
    'div',
    { class: 'lost', attributes: { role: 'status', hidden: '' } },
    icon('warning'),
    element('span', { text: l10n.t('The extension does not answer.') }),
  );

  constructor(page: () => LostPage) {
    this.#page = page;
    this.#link.addEventListener('focus', () => this.#update());
    this.#link.addEventListener('pointerdown', () => this.#update());
  }

  /**
   * Shows the notice. The editor itself runs a command link, so the link works even if the
   * extension host of this page is gone, but only when the user clicks it.
   */
  show(): void {
    this.#update();
    this.root.append(this.#link);
    this.root.hidden = false;
  }

  hide(): void {
    this.#link.remove();
    this.root.hidden = true;
  }

  #update(): void {
    const query = encodeURIComponent(JSON.stringify([this.#page()]));
    this.#link.href = `command:ah.reconnectTimeline?${query}`;
  }
}
