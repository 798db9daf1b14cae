import * as l10n from '@vscode/l10n';
import { element } from './element.ts';
import { KEY_HELP } from './keys.ts';

/** The list of keys. */
export class HelpView {
  readonly root: HTMLDialogElement;

  constructor() {
    const rows = KEY_HELP.flatMap(({ keys, text }) => [
      element('dt', {}, ...keys.split(/\s+/).map((key) => element('kbd', { text: key }))),
      element('dd', { text }),
    ]);
    const close = element('button', {
      class: 'button',
      text: l10n.t('Close'),
      attributes: { type: 'button' },
    });
    close.addEventListener('click', () => this.root.close());
    this.root = element(
      'dialog',
      { class: 'help', attributes: { 'aria-label': l10n.t('Keys') } },
      element('h2', { text: l10n.t('Keys') }),
      element('dl', {}, ...rows),
      close,
    );
  }

  toggle(): void {
    if (this.root.open) this.root.close();
    else this.root.showModal();
  }
}
