import * as l10n from '@vscode/l10n';
import { element, icon } from '../element.ts';
import type { SavedState } from './savedState.ts';

/** A page that was abandoned by its extension host, as it should open again. */
export interface LostPage {
  readonly recording: string;
  readonly at: SavedState['at'];
  readonly instruction: string;
}

/** Says that the extension does not answer, and offers a new page by the next one. */
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
   * Shows the notice. The editor runs a command link itself, so it also works when the process
   * behind this page is gone; but only if the user clicks it.
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
