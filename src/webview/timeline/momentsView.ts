import type { MomentAction } from '../../rpc/webviewProtocol.ts';
import { element, icon, iconButton } from './element.ts';
import { KIND_LOOK } from './kindLook.ts';
import { FILTER_TEXT, usefulFilters, type MomentFilter } from './momentFilter.ts';
import { momentLabel } from './momentLook.ts';
import type { PageMoment } from './parseEvents.ts';
import type { TimelineModel } from './timelineModel.ts';
import { positionText } from './timeText.ts';
import { t } from './words.ts';

export interface MomentsHandlers {
  readonly onMoment: (id: string) => void;
  readonly onAction: (action: MomentAction, moment: PageMoment) => void;
}

const ACTION_LOOK: Readonly<Record<MomentAction, { icon: string; label: string }>> = {
  reveal: { icon: 'terminal', label: t('Reveal the question in its terminal') },
  branch: { icon: 'git-branch-create', label: t('Branch here') },
  snapshot: { icon: 'folder-opened', label: t('Open the files as they were') },
  diff: { icon: 'diff', label: t('Compare the files') },
  restore: { icon: 'discard', label: t('Restore the files') },
  pin: { icon: 'pin', label: t('Keep this snapshot') },
  link: { icon: 'link', label: t('Copy a link to this moment') },
};

/** These are about files, which only a snapshot has. */
const NEEDS_FILES: readonly MomentAction[] = ['snapshot', 'diff', 'restore', 'pin'];

/** The moments beside the player, turn by turn. */
export class MomentsView {
  readonly root: HTMLElement;
  readonly #model: TimelineModel;
  readonly #handlers: MomentsHandlers;
  readonly #filters = element('div', {
    class: 'filters',
    attributes: { role: 'group', 'aria-label': t('Which moments') },
  });
  readonly #list = element('ol', { class: 'moments-list' });
  readonly #rows = new Map<string, HTMLElement>();
  #current: string | undefined;
  actions: readonly MomentAction[] = [];

  constructor(model: TimelineModel, handlers: MomentsHandlers) {
    this.#model = model;
    this.#handlers = handlers;
    this.root = element(
      'aside',
      { class: 'moments', attributes: { 'aria-label': t('Moments') } },
      this.#filters,
      this.#list,
    );
    this.#list.addEventListener('keydown', (event) => this.#moveFocus(event));
  }

  show(): void {
    const { moments, visibleMoments } = this.#model;
    this.#showFilters(usefulFilters(moments));
    this.#rows.clear();
    this.#list.replaceChildren(...visibleMoments.map((moment) => this.#row(moment)));
    if (visibleMoments.length === 0) this.#list.append(this.#empty());
    this.#mark();
  }

  /** @param id the moment that what is shown belongs to */
  showCurrent(id: string | undefined): void {
    if (id === this.#current) return;
    this.#current = id;
    this.#mark();
  }

  #mark(): void {
    for (const [id, row] of this.#rows) {
      if (id === this.#current) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
    const row = this.#current === undefined ? undefined : this.#rows.get(this.#current);
    // Not while somebody looks elsewhere in the list.
    if (row && !this.#list.matches(':hover')) row.scrollIntoView({ block: 'nearest' });
  }

  #row(moment: PageMoment): HTMLElement {
    const { id, kind, title, detail, exact, isError, timeMs, snapshotId } = moment;
    const said = [exact ?? '', detail ?? ''].filter(Boolean).join('\n\n');
    const go = element(
      'button',
      {
        class: 'moment-go',
        ...(said !== '' && { title: said }),
        attributes: { type: 'button', 'aria-label': momentLabel(moment) },
      },
      icon(KIND_LOOK[kind].icon),
      element('span', { class: 'moment-title', text: title }),
      ...(detail === undefined
        ? []
        : [element('span', { class: 'moment-detail dim', text: detail })]),
    );
    go.addEventListener('click', () => this.#handlers.onMoment(id));
    const facts = snapshotId === undefined ? positionText(timeMs) : `#${snapshotId}`;
    const row = element(
      'li',
      { class: `moment kind-${kind} ${isError ? 'is-error' : ''}`, attributes: { 'data-id': id } },
      go,
      element('span', { class: 'moment-actions' }, ...this.#actionsOf(moment)),
      element('span', { class: 'moment-facts dim', text: facts }),
    );
    this.#rows.set(id, row);
    return row;
  }

  #actionsOf(moment: PageMoment): HTMLElement[] {
    return this.actions
      .filter((action) => hasFilesFor(action, moment))
      .filter((action) => action !== 'reveal' || moment.isOpen === true)
      .map((action) =>
        iconButton({
          ...ACTION_LOOK[action],
          onClick: () => this.#handlers.onAction(action, moment),
        }),
      );
  }

  #showFilters(filters: readonly MomentFilter[]): void {
    this.#filters.hidden = filters.length < 2;
    this.#filters.replaceChildren(
      ...filters.map((filter) => {
        const chip = element('button', {
          ...{ class: 'chip', text: FILTER_TEXT[filter] },
          attributes: { type: 'button', 'aria-pressed': String(filter === this.#model.filter) },
        });
        chip.addEventListener('click', () => this.#model.setFilter(filter));
        return chip;
      }),
    );
  }

  #empty(): HTMLElement {
    const text = this.#model.extent.isIndexed
      ? t('No moments yet. Prompts, tools and snapshots of the files are listed here.')
      : t('Looking for moments…');
    return element('li', { class: 'empty dim', text });
  }

  #moveFocus(event: KeyboardEvent): void {
    const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (direction === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const buttons = [...this.#list.querySelectorAll<HTMLElement>('.moment-go')];
    const row = (event.target as HTMLElement).closest('.moment');
    const index = buttons.findIndex((button) => button.parentElement === row);
    const next = buttons[index + direction];
    if (!next) return;
    next.focus();
    event.preventDefault();
  }
}

function hasFilesFor(action: MomentAction, { snapshotId, changesId }: PageMoment): boolean {
  if (!NEEDS_FILES.includes(action) || snapshotId !== undefined) return true;
  return action === 'diff' && changesId !== undefined;
}
