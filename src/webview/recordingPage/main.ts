import { Channel } from '../../rpc/channel.ts';
import type {
  PageState,
  RecordingHostProtocol,
  RecordingPageProtocol,
} from '../../timeline/common/protocol/recordingPageProtocol.ts';
import { PageTransport } from '../pageTransport.ts';
import { vsCodeApi } from '../vscodeApi.ts';
import { PageHeader } from './pageHeader.ts';
import { RowList } from './rowList.ts';

/** The view's state while the page is hidden and after the window is reloaded. */
interface PageMemory {
  readonly showsAll: boolean;
  /** Distance from the top in rows; undefined if the view follows the end. */
  readonly topRow: number | undefined;
}

const editor = vsCodeApi();
const channel = new Channel<RecordingPageProtocol, RecordingHostProtocol>(
  new PageTransport(editor),
  {},
  { state: (body) => show(body as PageState) },
);

// The `!` is safe: the extension's HTML of this page has all of these elements.
const byId = (id: string): HTMLElement => document.getElementById(id)!;

const scroller = byId('lines');
const partial = byId('partial');
const partialText = byId('partial-text');
const showAll = byId('show-all');
const empty = byId('empty');
const header = new PageHeader(byId('header'));
const rows = new RowList(scroller, (from, to) => void read(from, to));

const memory = editor.getState() as PageMemory | undefined;
let showsAll = memory?.showsAll ?? false;
/** Where to scroll once there are items. */
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
  // New lines can move the first shown item on: scroll so that what the user reads stays in place.
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
  const current: PageMemory = { showsAll, topRow: rows.isAtEnd ? undefined : rows.topItem };
  editor.setState(current);
}

scroller.addEventListener('scrollend', remember);

async function read(from: number, to: number): Promise<void> {
  try {
    const { generation, items } = (await channel.request('items', { from, to })).body;
    rows.receive(generation, from, items);
  } catch {
    // The extension has reported why the recording can't be read.
  }
}

channel.notify('ready', null);
