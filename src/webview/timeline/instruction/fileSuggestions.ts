import * as l10n from '@vscode/l10n';
import { element } from '../element.ts';

const LIST_ID = 'instruction-files';

/** A list of files to choose from, for a text box that keeps the focus. */
export class FileSuggestions {
  readonly root = element('ul', {
    class: 'suggestions',
    attributes: { role: 'listbox', id: LIST_ID, 'aria-label': l10n.t('Files'), hidden: '' },
  });
  readonly #box: HTMLElement;
  readonly #onChoose: (file: string) => void;
  #files: readonly string[] = [];
  #active = 0;

  /** @param box the text box, which gets attributes that tell screen readers about the list */
  constructor(box: HTMLElement, onChoose: (file: string) => void) {
    this.#box = box;
    this.#onChoose = onChoose;
    box.setAttribute('aria-controls', LIST_ID);
    box.setAttribute('aria-autocomplete', 'list');
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  show(files: readonly string[]): void {
    this.#files = files;
    this.#active = 0;
    this.root.hidden = files.length === 0;
    this.root.replaceChildren(...files.map((file, index) => this.#option(file, index)));
    this.#mark();
  }

  hide(): void {
    this.show([]);
  }

  step(direction: 1 | -1): void {
    const count = this.#files.length;
    this.#active = (this.#active + direction + count) % count;
    this.#mark();
  }

  choose(): void {
    const file = this.#files[this.#active];
    if (file !== undefined) this.#onChoose(file);
  }

  #option(file: string, index: number): HTMLElement {
    const attributes = { role: 'option', id: optionId(index) };
    const option = element('li', { text: file, attributes });
    // This event comes before the text box loses the focus; `click` would come after.
    option.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.#onChoose(file);
    });
    return option;
  }

  #mark(): void {
    Array.from(this.root.children).forEach((option, index) =>
      option.setAttribute('aria-selected', String(index === this.#active)),
    );
    if (this.isOpen) this.#box.setAttribute('aria-activedescendant', optionId(this.#active));
    else this.#box.removeAttribute('aria-activedescendant');
  }
}

function optionId(index: number): string {
  return `instruction-file-${index}`;
}
