import * as vscode from 'vscode';
import type { FoundFact } from '../../search/node/factSource.ts';
import type { SearchThread } from '../../search/node/searchThread.ts';
import type { SearchHit } from '../../timeline/common/search/searchHits.ts';
import { factIcon, factTime, searchedSessions } from '../agents/factStyle.ts';
import { COMMANDS } from '../contributions.ts';
import { plainLabel } from '../plainLabel.ts';
import { sessionName, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { clockText, dateOf, dayText } from '../sessions/timeText.ts';
import { TimelineDocument } from './timelineDocument.ts';
import type { TimelinePanels } from './timelinePanels.ts';

/** Leaves room in the list for other sessions. */
const HITS_PER_SESSION = 20;
const MAX_FACTS = 50;

interface HitItem extends vscode.QuickPickItem {
  readonly session?: Session;
  readonly hit?: SearchHit;
  readonly fact?: FoundFact;
}

/**
 * `AH: Search Sessions…`: first prompts, tool calls and answers from the index, then the terminal
 * output of each session, newest session first.
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
  const pick = vscode.window.createQuickPick<HitItem>();
  const abort = new AbortController();
  pick.title = vscode.l10n.t('Results for “{0}”', text);
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.ignoreFocusOut = true; // The search takes a while.
  pick.onDidHide(() => {
    abort.abort();
    pick.dispose();
  });
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item?.fact) void vscode.commands.executeCommand(COMMANDS.openFact, item.fact);
    else if (item?.session && item.hit) timelines.show(item.session, targetOf(item.hit));
    pick.hide();
  });
  pick.show();
  // Without the index, the output is still searched.
  const facts = await index.search(text, searchedSessions(store), MAX_FACTS).catch(() => []);
  if (abort.signal.aborted) return;
  pick.items = factItems(facts, store);
  for (const session of store.sessions) {
    const hits = await searchSession(session, text, timelines.workerFile, abort.signal);
    if (abort.signal.aborted) return;
    if (hits.length > 0) pick.items = [...pick.items, ...itemsOf(session, hits)];
  }
  pick.busy = false;
  if (pick.items.length === 0) {
    pick.items = [{ label: vscode.l10n.t('No results in any session'), alwaysShow: true }];
  }
}

/** Searches the output of one session; an unreadable recording has no matches. */
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
    return hits.slice(0, HITS_PER_SESSION);
  } catch {
    // The recording can't be read.
    return [];
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function factItems(facts: readonly FoundFact[], store: SessionStore): HitItem[] {
  if (facts.length === 0) return [];
  const separator: HitItem = {
    label: vscode.l10n.t('Prompts, tool calls and answers'),
    kind: vscode.QuickPickItemKind.Separator,
  };
  const items = facts.flatMap((fact): HitItem[] => {
    const session = store.get(fact.session);
    if (!session) return [];
    const date = new Date(fact.timeMs);
    const when = factTime(date);
    return [
      {
        label: plainLabel(fact.excerpt),
        description: `${sessionName(session)} · ${when}`,
        iconPath: factIcon(fact.kind),
        alwaysShow: true,
        fact,
      },
    ];
  });
  return [separator, ...items];
}

function itemsOf(session: Session, hits: readonly SearchHit[]): HitItem[] {
  const started = dateOf(session.meta.startedAtNs);
  const day = dayText(started, vscode.env.language);
  const separator: HitItem = {
    label: `${sessionName(session)} · ${day}`,
    kind: vscode.QuickPickItemKind.Separator,
  };
  return [
    separator,
    ...hits.map((hit) => ({
      label: plainLabel(hit.excerpt),
      description: clockText(new Date(started.getTime() + hit.timeMs), vscode.env.language),
      alwaysShow: true,
      session,
      hit,
    })),
  ];
}

function targetOf({ isPassing, recordIndex, excerpt, byteOffset }: SearchHit) {
  return isPassing ? { recordIndex, text: excerpt } : { byteOffset };
}
