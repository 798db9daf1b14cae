import * as vscode from 'vscode';
import type { SearchThread } from '../../search/node/searchThread.ts';
import type { SearchHit } from '../../timeline/common/search/searchHits.ts';
import { searchedSessions } from '../agents/factStyle.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { factRows, hitRows, type ResultRow } from './searchRows.ts';
import { TimelineDocument } from './timelineDocument.ts';
import type { TimelinePanels } from './timelinePanels.ts';

const MAX_FACTS = 50;
/** Delay after typing, so that not every letter starts a search of all recordings. */
const PAUSE_MS = 500;

/**
 * `AH: Search Sessions…`: lists prompts, tool calls and answers from the index, then matches in the
 * terminal output of each session, newest session first.
 */
export async function searchSessions(
  store: SessionStore,
  timelines: TimelinePanels,
  index: SearchThread,
): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Search Sessions'),
    prompt: vscode.l10n.t(
      'Searches prompts, tool calls, answers and terminal output of all sessions',
    ),
    ignoreFocusOut: true,
  });
  if (!text) return;
  await store.refresh();
  const pick = vscode.window.createQuickPick<ResultRow>();
  let searched = '';
  let abort = new AbortController();
  let pause: NodeJS.Timeout | undefined;
  const search = (query: string) => {
    abort.abort();
    abort = new AbortController();
    searched = query;
    const { signal } = abort;
    void showResults({ pick, query, store, timelines, index, signal });
  };
  pick.title = vscode.l10n.t('Search Sessions');
  // VS Code highlights this value in the rows.
  pick.value = text;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true; // Because the search takes a while.
  pick.onDidChangeValue((query) => {
    clearTimeout(pause);
    if (query !== searched) pause = setTimeout(() => search(query), PAUSE_MS);
  });
  pick.onDidHide(() => {
    clearTimeout(pause);
    abort.abort();
    pick.dispose();
  });
  pick.onDidAccept(() => {
    pick.selectedItems[0]?.open?.();
    pick.hide();
  });
  pick.show();
  search(text);
}

interface Search {
  readonly pick: vscode.QuickPick<ResultRow>;
  readonly query: string;
  readonly store: SessionStore;
  readonly timelines: TimelinePanels;
  readonly index: SearchThread;
  readonly signal: AbortSignal;
}

async function showResults(search: Search): Promise<void> {
  const { pick, query, store, timelines, index, signal } = search;
  pick.busy = true;
  // If the index can't be used, the terminal output is still searched.
  const facts = await index.search(query, searchedSessions(store), MAX_FACTS).catch(() => []);
  if (signal.aborted) return;
  pick.items = factRows(facts, store);
  for (const session of query === '' ? [] : store.sessions) {
    const hits = await searchSession(session, query, timelines.workerFile, signal);
    if (signal.aborted) return;
    const rows = hitRows(session, hits, facts, timelines);
    if (rows.length > 0) pick.items = [...pick.items, ...rows];
  }
  pick.busy = false;
  if (pick.items.length === 0) {
    pick.items = [{ label: vscode.l10n.t('No results in any session'), alwaysShow: true }];
  }
}

/** Searches the terminal output of one session; finds nothing in an unreadable recording. */
async function searchSession(
  session: Session,
  text: string,
  workerFile: string,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  const document = new TimelineDocument(workerFile, session.meta.recording);
  const stop = () => document.dispose();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const isOpen = new Promise<boolean>((resolve) => {
      document.onEvent((event) => {
        if (event.name === 'extent') resolve(true);
        else if (event.name === 'trouble' && event.body.message !== null) resolve(false);
        else if (event.name === 'hits') hits.push(...event.body.hits);
      });
      signal.addEventListener('abort', () => resolve(false), { once: true });
    });
    if (!(await isOpen)) return [];
    const query = { searchId: 1, text, isRegex: false, isCaseSensitive: false };
    await document.request('search', query);
    return hits;
  } catch {
    // The recording can't be read.
    return [];
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
