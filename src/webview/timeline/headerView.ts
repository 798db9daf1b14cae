import * as l10n from '@vscode/l10n';
import type { SessionOrigin } from '../../timeline/common/protocol/timelineProtocol.ts';
import { element, icon } from './element.ts';
import type { TimelineModel } from './timelineModel.ts';
import { clockText } from './timeText.ts';

export interface HeaderHandlers {
  readonly onBranch: () => void;
  readonly onOrigin: (origin: SessionOrigin) => void;
}

/** Name, state and facts of the session, search, and the Branch button. */
export class HeaderView {
  readonly root: HTMLElement;
  readonly #name = element('h1');
  readonly #state = element('span', { class: 'state' });
  readonly #facts = element('span', { class: 'facts dim' });
  readonly #origin = element('button', { class: 'origin', attributes: { type: 'button' } });
  readonly #branch: HTMLButtonElement;
  #shown: SessionOrigin | undefined;

  constructor(search: HTMLElement, { onBranch, onOrigin }: HeaderHandlers) {
    this.#branch = element(
      'button',
      { class: 'button primary', title: l10n.t('Branch here (i)'), attributes: { type: 'button' } },
      icon('git-branch-create'),
      document.createTextNode(l10n.t('Branch here')),
    );
    this.#branch.hidden = true;
    this.#origin.addEventListener('click', () => this.#shown && onOrigin(this.#shown));
    this.#branch.addEventListener('click', onBranch);
    this.root = element(
      'header',
      { class: 'bar' },
      this.#name,
      this.#state,
      this.#origin,
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
    this.#showOrigin(session.origin);
    const snapshots = moments.filter(({ kind }) => kind === 'snapshot').length;
    const facts = extent.startNs === '0' ? [] : [l10n.t('since {0}', clockText(extent.startNs, 0))];
    if (snapshots > 0)
      facts.push(snapshots === 1 ? l10n.t('1 snapshot') : l10n.t('{0} snapshots', snapshots));
    this.#facts.textContent = facts.join(' · ');
  }

  #showOrigin(origin: SessionOrigin | null): void {
    this.#origin.hidden = origin === null;
    this.#shown = origin ?? undefined;
    if (!origin) return;
    const text = l10n.t('branch of {0} at {1}', origin.name, origin.clock);
    if (this.#origin.textContent === text) return;
    this.#origin.replaceChildren(icon('git-branch'), element('span', { text }));
    // The text is cut where it doesn't fit.
    this.#origin.title = `${text}\n${l10n.t('Open the original at this moment')}`;
  }
}
