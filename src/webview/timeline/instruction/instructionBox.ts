import * as l10n from '@vscode/l10n';
import { element } from '../element.ts';
import { FileSuggestions } from './fileSuggestions.ts';
import { matchFiles, mentionAt } from '../../../timeline/common/fileMention.ts';

const MAX_ROWS = 8;
/** Maximum number of suggested files: as many as fit above the box. */
const MAX_SUGGESTIONS = 8;

export interface InstructionRequest {
  /** What the instruction is for, such as `Branch at 14:32`. */
  readonly title: string;
  /**
   * The files at the moment, relative to the workspace. Called when the user types the first `@`.
   */
  readonly files: () => Promise<readonly string[]>;
}

/**
 * The text box for the instruction of a branch: several lines, with file suggestions after an `@`.
 */
export class InstructionBox {
  readonly root: HTMLElement;
  readonly #title = element('label', { attributes: { for: 'instruction' } });
  readonly #area = element('textarea', {
    attributes: { id: 'instruction', rows: '1', spellcheck: 'true' },
  });
  readonly #suggestions: FileSuggestions;
  readonly #onChange: () => void;
  #files: Promise<readonly string[]> | undefined;
  #request: InstructionRequest | undefined;
  #resolve: ((text: string | undefined) => void) | undefined;

  /** @param onChange called when the text has changed */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#area.placeholder = l10n.t('What should the agent do from here on? (optional)');
    this.#suggestions = new FileSuggestions(this.#area, (file) => this.#insert(file));
    const go = element('button', {
      class: 'button primary',
      text: l10n.t('Continue…'),
      attributes: { type: 'button' },
    });
    const cancel = element('button', {
      class: 'button',
      text: l10n.t('Cancel'),
      attributes: { type: 'button' },
    });
    const hint = l10n.t('Enter: continue · Shift+Enter: new line · @: insert a file');
    this.root = element(
      'section',
      { class: 'instruction', attributes: { hidden: '' } },
      this.#title,
      element('div', { class: 'instruction-field' }, this.#suggestions.root, this.#area),
      element(
        'div',
        { class: 'instruction-foot' },
        element('span', { class: 'dim', text: hint }),
        cancel,
        go,
      ),
    );
    go.addEventListener('click', () => this.#end(this.text));
    cancel.addEventListener('click', () => this.#end(undefined));
    this.#area.addEventListener('keydown', (event) => this.#key(event));
    this.#area.addEventListener('input', () => this.#changed());
    this.#area.addEventListener('blur', () => this.#suggestions.hide());
  }

  /** The text. It is kept when the user cancels, for the next time. */
  get text(): string {
    return this.#area.value.trim();
  }

  set text(text: string) {
    this.#area.value = text;
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** Removes a text that was sent, unless the user has changed it since. */
  forget(text: string): void {
    if (this.text !== text) return;
    this.text = '';
    this.#changed();
  }

  /** Opens the box. @returns the text, which may be empty; undefined when the user cancels */
  ask(request: InstructionRequest): Promise<string | undefined> {
    this.#resolve?.(undefined);
    this.#request = request;
    this.#files = undefined;
    this.#title.textContent = request.title;
    this.root.hidden = false;
    this.#resize();
    this.#area.focus();
    this.#area.select();
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  #end(text: string | undefined): void {
    this.#suggestions.hide();
    this.root.hidden = true;
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(text);
  }

  #key(event: KeyboardEvent): void {
    // While composing a character, input methods use these keys themselves.
    if (event.isComposing) return;
    if (!this.#act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns whether the box handled the key */
  #act({ key, shiftKey }: KeyboardEvent): boolean {
    if (this.#suggestions.isOpen) {
      if (key === 'ArrowDown' || key === 'ArrowUp') {
        this.#suggestions.step(key === 'ArrowDown' ? 1 : -1);
        return true;
      }
      if ((key === 'Enter' && !shiftKey) || key === 'Tab') {
        this.#suggestions.choose();
        return true;
      }
      if (key === 'Escape') {
        this.#suggestions.hide();
        return true;
      }
    }
    if (key === 'Enter' && !shiftKey) this.#end(this.text);
    else if (key === 'Escape') this.#end(undefined);
    else return false;
    return true;
  }

  #changed(): void {
    this.#resize();
    this.#onChange();
    void this.#suggest();
  }

  async #suggest(): Promise<void> {
    const mention = mentionAt(this.#area.value, this.#area.selectionStart);
    if (!mention || !this.#request) return this.#suggestions.hide();
    // If the files can't be read, the user types the path without suggestions.
    this.#files ??= this.#request.files().catch(() => []);
    const files = await this.#files;
    const now = mentionAt(this.#area.value, this.#area.selectionStart);
    if (now && this.isOpen) this.#suggestions.show(matchFiles(files, now.text, MAX_SUGGESTIONS));
  }

  #insert(file: string): void {
    const { value, selectionStart: caret } = this.#area;
    const mention = mentionAt(value, caret);
    if (!mention) return;
    this.#area.setRangeText(`@${file} `, mention.at, caret, 'end');
    this.#suggestions.hide();
    this.#changed();
  }

  #resize(): void {
    const lines = this.#area.value.split('\n').length;
    this.#area.rows = Math.min(MAX_ROWS, Math.max(1, lines));
  }
}
