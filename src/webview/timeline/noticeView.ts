import { element, icon } from './element.ts';

const SAID_MS = 6000;

/** What a person must know before trusting what is shown, in a sentence above it. */
export class NoticeView {
  readonly #text = element('span');
  readonly root = element(
    'div',
    { class: 'notice', attributes: { role: 'status', hidden: '' } },
    icon('warning'),
    this.#text,
  );
  #trouble: string | null = null;
  #problem: string | null = null;
  #said: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The recording cannot be read; null when it can. */
  setTrouble(message: string | null): void {
    this.#trouble = message;
    this.#show();
  }

  /** Something is wrong with the recording itself. */
  setProblem(message: string | null): void {
    this.#problem = message;
    this.#show();
  }

  /** Something that was asked for could not be done. */
  say(message: string): void {
    this.#said = message;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#said = null;
      this.#show();
    }, SAID_MS);
    this.#show();
  }

  #show(): void {
    const text = this.#said ?? this.#trouble ?? this.#problem;
    this.root.hidden = text === null;
    if (text !== null && this.#text.textContent !== text) this.#text.textContent = text;
  }
}
