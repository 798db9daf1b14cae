import type { MomentAction } from '../../../timeline/common/webviewProtocol.ts';
import { element } from '../element.ts';
import { FILTER_TEXT, usefulFilters, type MomentFilter } from './momentFilter.ts';
import { momentRow, type MomentsHandlers } from './momentRow.ts';
import type { PageMoment } from '../host/parseEvents.ts';
import { ROW_HEIGHT, RowPlaces } from './rowPlaces.ts';
import type { TimelineModel } from '../timelineModel.ts';
import { t } from '../words.ts';

/** In the page beyond what is seen, on either side: a turn of the wheel finds something there. */
const MARGIN = 20 * ROW_HEIGHT;

interface Row {
  readonly element: HTMLElement;
  /** What it shows: another moment with the same words is the same row. */
  readonly content: string;
}

/** The moments beside the player, turn by turn. Of a long list, only what is near is in the page. */
export class MomentsView {
  readonly root: HTMLElement;
  readonly #model: TimelineModel;
  readonly #handlers: MomentsHandlers;
  readonly #filters = element('div', {
    class: 'filters',
    attributes: { role: 'group', 'aria-label': t('Which moments') },
  });
  readonly #canvas = element('ol', { class: 'moments-canvas' });
  readonly #list = element('div', { class: 'moments-list' }, this.#canvas);
  readonly #rows = new Map<string, Row>();
  #places = new RowPlaces([]);
  #moments: readonly PageMoment[] = [];
  #shownFilters = '';
  #current: string | undefined;
  /** The one that the Tab key leads to. */
  #reached: string | undefined;
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
    this.#list.addEventListener('focusin', (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>('.moment');
      if (row) this.#reach(row.dataset['id']);
    });
    this.#list.addEventListener('scroll', () => this.#fill(), { passive: true });
    new ResizeObserver(() => this.#fill()).observe(this.#list);
  }

  show(): void {
    const { moments, visibleMoments } = this.#model;
    this.#showFilters(usefulFilters(moments));
    this.#moments = visibleMoments;
    this.#places = new RowPlaces(visibleMoments);
    const isEmpty = visibleMoments.length === 0;
    this.#canvas.style.height = isEmpty ? '' : `${this.#places.height}px`;
    this.#canvas.querySelector('.empty')?.remove();
    this.#fill();
    if (isEmpty) this.#canvas.append(this.#empty());
    this.#bringIntoView();
  }

  /** @param id the moment that what is shown belongs to */
  showCurrent(id: string | undefined): void {
    if (id === this.#current) return;
    this.#current = id;
    this.#bringIntoView();
    this.#mark();
  }

  #bringIntoView(): void {
    const index = this.#moments.findIndex(({ id }) => id === this.#current);
    // Not while somebody looks elsewhere in the list.
    if (index >= 0 && !this.#list.matches(':hover')) this.#scrollTo(index);
  }

  #scrollTo(index: number): void {
    const top = this.#places.top(index);
    const { scrollTop, clientHeight } = this.#list;
    if (top < scrollTop) this.#list.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) {
      this.#list.scrollTop = top + ROW_HEIGHT - clientHeight;
    }
    this.#fill();
  }

  /** Puts what is near into the page, takes away what is not, and leaves alone what is as it was. */
  #fill(): void {
    const { scrollTop, clientHeight } = this.#list;
    const { from, to } = this.#places.between(
      scrollTop - MARGIN,
      scrollTop + clientHeight + MARGIN,
    );
    const near = this.#moments.slice(from, to);
    const ids = new Set(near.map(({ id }) => id));
    for (const [id, { element }] of this.#rows) {
      // What has the focus would lose it.
      if (ids.has(id) || element.contains(document.activeElement)) continue;
      element.remove();
      this.#rows.delete(id);
    }
    const rows = near.map((moment, index) => this.#row(moment, from + index));
    let next = this.#canvas.firstElementChild;
    for (const row of rows) {
      if (row === next) next = next.nextElementSibling;
      else this.#canvas.insertBefore(row, next);
    }
    this.#mark();
  }

  #row(moment: PageMoment, index: number): HTMLElement {
    const content = JSON.stringify([moment, this.actions]);
    let row = this.#rows.get(moment.id);
    if (row?.content !== content) {
      const made = momentRow(moment, this.actions, this.#handlers);
      const hadFocus = row?.element.contains(document.activeElement) === true;
      row?.element.replaceWith(made);
      if (hadFocus) made.querySelector<HTMLElement>('.moment-go')?.focus();
      row = { element: made, content };
      this.#rows.set(moment.id, row);
    }
    row.element.style.top = `${this.#places.top(index)}px`;
    row.element.setAttribute('aria-posinset', String(index + 1));
    row.element.setAttribute('aria-setsize', String(this.#moments.length));
    return row.element;
  }

  #mark(): void {
    const reached =
      [this.#reached, this.#current].find((id) => id !== undefined && this.#rows.has(id)) ??
      this.#rows.keys().next().value;
    for (const [id, { element }] of this.#rows) {
      if (id === this.#current) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
      element.querySelector('.moment-go')!.setAttribute('tabindex', id === reached ? '0' : '-1');
    }
  }

  #reach(id: string | undefined): void {
    if (id === this.#reached) return;
    this.#reached = id;
    this.#mark();
  }

  #showFilters(filters: readonly MomentFilter[]): void {
    const { filter: chosen } = this.#model;
    const shown = [chosen, ...filters].join(' ');
    // What has the focus keeps it.
    if (shown === this.#shownFilters) return;
    const hadFocus = this.#filters.contains(document.activeElement);
    this.#shownFilters = shown;
    this.#filters.hidden = filters.length < 2;
    this.#filters.replaceChildren(
      ...filters.map((filter) => {
        const chip = element('button', {
          ...{ class: 'chip', text: FILTER_TEXT[filter] },
          attributes: { type: 'button', 'aria-pressed': String(filter === chosen) },
        });
        chip.addEventListener('click', () => this.#model.setFilter(filter));
        return chip;
      }),
    );
    if (hadFocus) this.#filters.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
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
    const row = (event.target as HTMLElement).closest<HTMLElement>('.moment');
    const index = this.#moments.findIndex(({ id }) => id === row?.dataset['id']);
    const next = this.#moments[index + direction];
    if (!next) return;
    this.#scrollTo(index + direction);
    this.#rows.get(next.id)?.element.querySelector<HTMLElement>('.moment-go')?.focus();
    event.preventDefault();
  }
}
