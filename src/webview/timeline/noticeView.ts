import * as l10n from '@vscode/l10n';
import { element, icon } from './element.ts';

const MESSAGE_MS = 6000;

/** A warning above the screen, about the recording or about a failed action. */
export class NoticeView {
  readonly #text = element('span');
  readonly #reload = element('a', {
    text: l10n.t('Reload'),
    attributes: { href: 'command:workbench.action.reloadWindow' },
  });
  readonly root = element(
    'div',
    { class: 'notice', attributes: { role: 'status', hidden: '' } },
    icon('warning'),
    this.#text,
  );
  #trouble: string | null = null;
  #problem: string | null = null;
  #message: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Why the recording can't be read; null when it can. @param needsReload offers to reload */
  setTrouble(message: string | null, needsReload: boolean): void {
    this.#trouble = message;
    if (needsReload) this.root.append(this.#reload);
    else this.#reload.remove();
    this.#update();
  }

  /** What is wrong with the recording itself. */
  setProblem(message: string | null): void {
    this.#problem = message;
    this.#update();
  }

  /** Shows why an action failed, for a few seconds. */
  show(message: string): void {
    this.#message = message;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#message = null;
      this.#update();
    }, MESSAGE_MS);
    this.#update();
  }

  #update(): void {
    const text = this.#message ?? this.#trouble ?? this.#problem;
    this.root.hidden = text === null;
    if (text !== null && this.#text.textContent !== text) this.#text.textContent = text;
  }
}
