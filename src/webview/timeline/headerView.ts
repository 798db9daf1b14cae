import * as l10n from '@vscode/l10n';
import { element, icon } from './element.ts';
import type { TimelineModel } from './timelineModel.ts';
import { clockText } from './timeText.ts';

/** Name, state and facts of the session, search, and the Branch button. */
export class HeaderView {
  readonly root: HTMLElement;
  readonly #name = element('h1');
  readonly #state = element('span', { class: 'state' });
  readonly #facts = element('span', { class: 'facts dim' });
  readonly #branch: HTMLButtonElement;

  constructor(search: HTMLElement, onBranch: () => void) {
    this.#branch = element(
      'button',
      { class: 'button primary', title: l10n.t('Branch here (i)'), attributes: { type: 'button' } },
      icon('git-branch-create'),
      document.createTextNode(l10n.t('Branch here')),
    );
    this.#branch.hidden = true;
    this.#branch.addEventListener('click', onBranch);
    this.root = element(
      'header',
      { class: 'bar' },
      this.#name,
      this.#state,
      element('span', { class: 'facts-room' }, this.#facts),
      search,
      this.#branch,
    );
  }

  set canBranch(canBranch: boolean) {
    this.#branch.hidden = !canBranch;
  }

  show({ session, extent, moments, isLive }: TimelineModel): void {
    this.#name.textContent = session.name;
    this.#name.title = session.name;
    this.#state.textContent = session.stateText;
    this.#state.hidden = session.stateText === '';
    this.#state.classList.toggle('is-live', isLive);
    const snapshots = moments.filter(({ kind }) => kind === 'snapshot').length;
    const facts = extent.startNs === '0' ? [] : [l10n.t('since {0}', clockText(extent.startNs, 0))];
    if (snapshots > 0)
      facts.push(snapshots === 1 ? l10n.t('1 snapshot') : l10n.t('{0} snapshots', snapshots));
    this.#facts.textContent = facts.join(' · ');
  }
}
