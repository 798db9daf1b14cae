import * as l10n from '@vscode/l10n';
import { element, iconButton } from '../element.ts';
import type { SearchQuery } from '../../../timeline/common/search/searchQuery.ts';
import type { SearchResult } from './searchSession.ts';

export interface SearchHandlers {
  readonly onSearch: (input: SearchQuery) => void;
  readonly onStep: (direction: 1 | -1) => void;
  /** Called when the user leaves the box with Escape. */
  readonly onLeave: () => void;
}

/** Delay after typing, so that not every typed letter starts a search. */
const PAUSE_MS = 150;

/** The search box. */
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
        type: 'text',
        placeholder: l10n.t('Search the terminal output'),
        'aria-label': l10n.t('Search'),
        spellcheck: 'false',
        maxlength: '1000',
      },
    });
    this.#case = this.#option('case-sensitive', l10n.t('Match case'));
    this.#regex = this.#option('regex', l10n.t('Regular expression'));
    this.root = element(
      'div',
      { class: 'search', attributes: { role: 'search' } },
      element('div', { class: 'search-box' }, this.#input, this.#case, this.#regex),
      this.#result,
      iconButton({
        icon: 'arrow-up',
        label: l10n.t('Previous hit (N)'),
        onClick: () => handlers.onStep(-1),
      }),
      iconButton({
        icon: 'arrow-down',
        label: l10n.t('Next hit (n)'),
        onClick: () => handlers.onStep(1),
      }),
    );
    this.#input.addEventListener('input', () => this.#searchSoon());
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

  #searchSoon(): void {
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
      icon: name,
      label,
      class: 'search-option',
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
  if (total === 0) return isDone ? l10n.t('No results') : `${l10n.t('Searching')}${part}`;
  const all =
    total > listed ? l10n.t('{0} (of {1})', listed, total.toLocaleString('en')) : String(total);
  return `${index < 0 ? all : l10n.t('{0} of {1}', index + 1, all)}${part}`;
}
