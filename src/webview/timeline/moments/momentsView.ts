import * as l10n from '@vscode/l10n';
import type { MomentAction } from '../../../timeline/common/protocol/timelineProtocol.ts';
import { element } from '../element.ts';
import { FILTER_TEXT, usefulFilters, type MomentFilter } from './momentFilter.ts';
import { momentRow, type MomentsHandlers } from './momentRow.ts';
import type { ListRow } from './listRows.ts';
import { ROW_HEIGHT, RowLayout } from './rowLayout.ts';
import type { TimelineModel } from '../timelineModel.ts';

/** Height of the rows kept above and below the visible ones, so that scrolling shows no gaps. */
const MARGIN = 20 * ROW_HEIGHT;

interface Row {
  readonly element: HTMLElement;
  /** What the row shows, as JSON, to detect changes. */
  readonly content: string;
}

/** The list of moments, turn by turn. Only rows near the visible ones are in the page. */
export class MomentsView {
  readonly root: HTMLElement;
  readonly #model: TimelineModel;
  readonly #handlers: MomentsHandlers;
  readonly #filters = element('div', {
    class: 'filters',
    attributes: { role: 'group', 'aria-label': l10n.t('Filter moments') },
  });
  readonly #canvas = element('ol', { class: 'moments-canvas' });
  readonly #list = element('div', { class: 'moments-list' }, this.#canvas);
  readonly #rows = new Map<string, Row>();
  #layout = new RowLayout([]);
  #listed: readonly ListRow[] = [];
  #shownFilters = '';
  #current: string | undefined;
  /** ID of the moment whose row is the tab stop. */
  #tabStop: string | undefined;
  actions: readonly MomentAction[] = [];

  constructor(model: TimelineModel, handlers: MomentsHandlers) {
    this.#model = model;
    this.#handlers = handlers;
    this.root = element(
      'aside',
      { class: 'moments', attributes: { 'aria-label': l10n.t('Moments') } },
      this.#filters,
      this.#list,
    );
    this.#list.addEventListener('keydown', (event) => this.#moveFocus(event));
    this.#list.addEventListener('focusin', (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>('.moment');
      if (row) this.#setTabStop(row.dataset['id']);
    });
    this.#list.addEventListener('scroll', () => this.#fill(), { passive: true });
    new ResizeObserver(() => this.#fill()).observe(this.#list);
  }

  show(): void {
    const { moments, rows } = this.#model;
    this.#showFilters(usefulFilters(moments));
    this.#listed = rows;
    this.#layout = new RowLayout(rows.map(({ moment }) => moment));
    const isEmpty = rows.length === 0;
    this.#canvas.style.height = isEmpty ? '' : `${this.#layout.height}px`;
    this.#fill();
    this.showEmpty();
    this.#bringIntoView();
  }

  /** Says why the list is empty, if it is. */
  showEmpty(): void {
    this.#canvas.querySelector('.empty')?.remove();
    if (this.#listed.length === 0) this.#canvas.append(this.#empty());
  }

  /** @param id ID of the current row's own moment, not of one of its parts */
  showCurrent(id: string | undefined): void {
    if (id === this.#current) return;
    this.#current = id;
    this.#bringIntoView();
    this.#mark();
  }

  #bringIntoView(): void {
    const index = this.#listed.findIndex(({ moment }) => moment.id === this.#current);
    // Don't scroll while the pointer is over the list.
    if (index >= 0 && !this.#list.matches(':hover')) this.#scrollTo(index);
  }

  #scrollTo(index: number): void {
    const top = this.#layout.top(index);
    const { scrollTop, clientHeight } = this.#list;
    if (top < scrollTop) this.#list.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) {
      this.#list.scrollTop = top + ROW_HEIGHT - clientHeight;
    }
    this.#fill();
  }

  /** Adds rows near the visible ones, removes others, and keeps unchanged rows. */
  #fill(): void {
    const { scrollTop, clientHeight } = this.#list;
    const { from, to } = this.#layout.between(
      scrollTop - MARGIN,
      scrollTop + clientHeight + MARGIN,
    );
    const near = this.#listed.slice(from, to);
    const ids = new Set(near.map(({ moment }) => moment.id));
    for (const [id, { element }] of this.#rows) {
      // Keep a focused row: removing it would lose the focus.
      if (ids.has(id) || element.contains(document.activeElement)) continue;
      element.remove();
      this.#rows.delete(id);
    }
    const rows = near.map((row, index) => this.#row(row, from + index));
    let next = this.#canvas.firstElementChild;
    for (const row of rows) {
      if (row === next) next = next.nextElementSibling;
      else this.#canvas.insertBefore(row, next);
    }
    this.#mark();
  }

  #row(listed: ListRow, index: number): HTMLElement {
    const { id } = listed.moment;
    const content = JSON.stringify([listed, this.actions]);
    let row = this.#rows.get(id);
    if (row?.content !== content) {
      const created = momentRow(listed, this.actions, this.#handlers);
      const hadFocus = row?.element.contains(document.activeElement) === true;
      row?.element.replaceWith(created);
      if (hadFocus) created.querySelector<HTMLElement>('.moment-go')?.focus();
      row = { element: created, content };
      this.#rows.set(id, row);
    }
    row.element.style.top = `${this.#layout.top(index)}px`;
    row.element.setAttribute('aria-posinset', String(index + 1));
    row.element.setAttribute('aria-setsize', String(this.#listed.length));
    return row.element;
  }

  #mark(): void {
    const tabStop =
      [this.#tabStop, this.#current].find((id) => id !== undefined && this.#rows.has(id)) ??
      this.#rows.keys().next().value;
    for (const [id, { element }] of this.#rows) {
      if (id === this.#current) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
      element.querySelector('.moment-go')?.setAttribute('tabindex', id === tabStop ? '0' : '-1');
    }
  }

  #setTabStop(id: string | undefined): void {
    if (id === this.#tabStop) return;
    this.#tabStop = id;
    this.#mark();
  }

  #showFilters(filters: readonly MomentFilter[]): void {
    const { filter: chosen } = this.#model;
    const shown = [chosen, ...filters].join(' ');
    // Unchanged filters are not rebuilt, so that they keep the focus.
    if (shown === this.#shownFilters) return;
    const hadFocus = this.#filters.contains(document.activeElement);
    this.#shownFilters = shown;
    this.#filters.hidden = filters.length < 2;
    this.#filters.replaceChildren(
      ...filters.map((filter) => {
        const chip = element('button', {
          class: 'chip',
          text: FILTER_TEXT[filter],
          attributes: { type: 'button', 'aria-pressed': String(filter === chosen) },
        });
        chip.addEventListener('click', () => this.#model.setFilter(filter));
        return chip;
      }),
    );
    if (hadFocus) this.#filters.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }

  #empty(): HTMLElement {
    return element('li', { class: 'empty dim', text: this.#emptyText() });
  }

  #emptyText(): string {
    const { extent, hasTrouble } = this.#model;
    if (extent.isIndexed)
      return l10n.t('No moments yet. Prompts, tool calls and snapshots appear here.');
    return hasTrouble ? l10n.t('Can’t load the moments.') : l10n.t('Loading moments…');
  }

  #moveFocus(event: KeyboardEvent): void {
    const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (direction === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = (event.target as HTMLElement).closest<HTMLElement>('.moment');
    const index = this.#listed.findIndex(({ moment }) => moment.id === row?.dataset['id']);
    const next = this.#listed[index + direction]?.moment;
    if (!next) return;
    this.#scrollTo(index + direction);
    this.#rows.get(next.id)?.element.querySelector<HTMLElement>('.moment-go')?.focus();
    event.preventDefault();
  }
}
