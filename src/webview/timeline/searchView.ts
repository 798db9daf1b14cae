import { element, iconButton } from './element.ts';
import type { SearchInput, SearchResult } from './searchSession.ts';
import { t } from './words.ts';

export interface SearchHandlers {
  readonly onSearch: (input: SearchInput) => void;
  readonly onStep: (direction: 1 | -1) => void;
  /** The person is done with the box, and goes back to the player. */
  readonly onLeave: () => void;
}

/** Typing should not start a search for each letter. */
const PAUSE_MS = 150;

/** The box that everything ever shown is searched with. */
export class SearchView {
  readonly root: HTMLElement;
  readonly #handlers: SearchHandlers;
  readonly #input: HTMLInputElement;
  readonly #case: HTMLButtonElement;
  readonly #regex: HTMLButtonElement;
  readonly #result = element('span', {
    class: 'search-result dim',
    attributes: { role: 'status' },
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(handlers: SearchHandlers) {
    this.#handlers = handlers;
    this.#input = element('input', {
      attributes: {
        ...{ type: 'text', placeholder: t('Search everything shown'), 'aria-label': t('Search') },
        ...{ spellcheck: 'false', maxlength: '1000' },
      },
    });
    this.#case = this.#option('case-sensitive', t('Match case'));
    this.#regex = this.#option('regex', t('Regular expression'));
    this.root = element(
      'div',
      { class: 'search', attributes: { role: 'search' } },
      element('div', { class: 'search-box' }, this.#input, this.#case, this.#regex),
      this.#result,
      iconButton({
        icon: 'arrow-up',
        label: t('Previous hit (N)'),
        onClick: () => handlers.onStep(-1),
      }),
      iconButton({
        icon: 'arrow-down',
        label: t('Next hit (n)'),
        onClick: () => handlers.onStep(1),
      }),
    );
    this.#input.addEventListener('input', () => this.#later());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
  }

  get text(): string {
    return this.#input.value;
  }

  set text(text: string) {
    this.#input.value = text;
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  showResult(result: SearchResult | undefined): void {
    this.root.classList.toggle('has-result', result !== undefined);
    this.root.classList.toggle('is-bad', result?.message !== undefined);
    this.#result.textContent = result ? resultText(result) : '';
  }

  search(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#handlers.onSearch({
      text: this.#input.value,
      isRegex: this.#regex.ariaPressed === 'true',
      isCaseSensitive: this.#case.ariaPressed === 'true',
    });
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.search(), PAUSE_MS);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      if (this.#timer !== undefined) this.search();
      this.#handlers.onStep(event.shiftKey ? -1 : 1);
    } else if (event.key !== 'Escape') return;
    else {
      if (this.#input.value !== '') {
        this.#input.value = '';
        this.search();
      }
      this.#handlers.onLeave();
    }
    event.preventDefault();
  }

  #option(name: string, label: string): HTMLButtonElement {
    const button = iconButton({
      ...{ icon: name, label, class: 'search-option' },
      onClick: () => {
        button.ariaPressed = String(button.ariaPressed !== 'true');
        this.search();
      },
    });
    button.ariaPressed = 'false';
    return button;
  }
}

function resultText({ index, total, listed, progress, isDone, message }: SearchResult): string {
  if (message !== undefined) return message;
  const part = isDone ? '' : ` · ${Math.floor(progress * 100)} %`;
  if (total === 0) return isDone ? t('Never shown') : `${t('Searching')}${part}`;
  const all =
    total > listed ? t('{0} (of {1})', listed, total.toLocaleString('en')) : String(total);
  return `${index < 0 ? all : t('{0} of {1}', index + 1, all)}${part}`;
}
