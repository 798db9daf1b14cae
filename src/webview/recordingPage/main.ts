import type { PageState, ToPage } from '../../timeline/common/recordingPage.ts';
import { editor } from './editorApi.ts';
import { PageHeader } from './pageHeader.ts';
import { RowList } from './rowList.ts';

const byId = (id: string): HTMLElement => document.getElementById(id)!;

const scroller = byId('lines');
const partial = byId('partial');
const partialText = byId('partial-text');
const showAll = byId('show-all');
const empty = byId('empty');
const header = new PageHeader(byId('header'));
const rows = new RowList(scroller, (from, to) => editor.postMessage({ kind: 'read', from, to }));

const memory = editor.getState();
let showsAll = memory?.showsAll ?? false;
/** Where to go once there is something to go to. */
let wanted: number | 'end' | undefined = memory?.topRow ?? 'end';
let state: PageState | undefined;

function show(next: PageState): void {
  const follows = wanted === undefined && rows.isAtEnd;
  const top = rows.topItem;
  const isSameList = state?.generation === next.generation;
  state = next;
  document.title = next.title;
  header.show(next);
  partial.hidden = next.partial === undefined || showsAll;
  partialText.textContent = next.partial?.text ?? '';
  showAll.textContent = next.partial?.showAll ?? '';
  empty.textContent = next.empty;
  empty.hidden = next.itemCount > 0;
  scroller.hidden = next.itemCount === 0;
  scroller.ariaLabel = next.linesLabel;
  const firstItem = showsAll ? 0 : Math.max(0, next.itemCount - next.lastItems);
  rows.show({ ...next, firstItem });
  if (next.itemCount === 0) return;
  if (wanted === 'end' || follows) rows.scrollToEnd();
  else if (wanted !== undefined) rows.scrollToItem(wanted);
  // The first item shown moves on as lines come; what is being read stays where it is.
  else if (isSameList && top > rows.firstItem) rows.scrollToItem(top);
  wanted = undefined;
}

showAll.addEventListener('click', () => {
  if (!state) return;
  const top = rows.topItem;
  showsAll = true;
  wanted = top;
  show(state);
  remember();
  scroller.focus();
});

function remember(): void {
  editor.setState({ showsAll, topRow: rows.isAtEnd ? undefined : rows.topItem });
}

scroller.addEventListener('scrollend', remember);

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === 'state') show(data.state);
  else rows.receive(data.generation, data.from, data.items);
});

editor.postMessage({ kind: 'ready' });
