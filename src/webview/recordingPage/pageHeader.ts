import type {
  PageNotice,
  PageState,
} from '../../timeline/common/protocol/recordingPageProtocol.ts';

/** Title, facts and notices. Updates only what changed: screen readers announce nothing twice. */
export class PageHeader {
  readonly #title = element('h1');
  readonly #command = element('p', 'command');
  readonly #facts = element('dl');
  readonly #notices = element('div', 'notices');
  #shownFacts = '';
  #shownNotices = '';

  constructor(parent: HTMLElement) {
    this.#notices.setAttribute('role', 'status');
    parent.append(this.#title, this.#command, this.#facts, this.#notices);
  }

  show({ title, command, facts, notices }: PageState): void {
    setText(this.#title, title);
    setText(this.#command, command ?? '');
    this.#command.hidden = command === undefined;
    if (this.#shownFacts !== JSON.stringify(facts)) {
      this.#shownFacts = JSON.stringify(facts);
      this.#facts.replaceChildren(...facts.map(([label, value]) => fact(label, value)));
    }
    if (this.#shownNotices !== JSON.stringify(notices)) {
      this.#shownNotices = JSON.stringify(notices);
      this.#notices.replaceChildren(...notices.map(notice));
    }
  }
}

function fact(label: string, value: string): HTMLElement {
  const pair = element('div');
  pair.append(element('dt', '', label), element('dd', '', value));
  return pair;
}

function notice({ kind, text }: PageNotice): HTMLElement {
  return element('p', `notice ${kind}`, text);
}

function element(name: string, className = '', text = ''): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
