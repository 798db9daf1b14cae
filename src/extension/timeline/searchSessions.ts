import * as vscode from 'vscode';
import type { HitBody } from '../../rpc/webviewProtocol.ts';
import { sessionName, type Session } from '../session.ts';
import type { SessionStore } from '../sessionStore.ts';
import { clockText, dateOf, dayText } from '../timeText.ts';
import { TimelineDocument } from './timelineDocument.ts';
import type { TimelinePanels } from './timelinePanels.ts';

/** More of one session would only push the others out of the list. */
const HITS_PER_SESSION = 20;

interface HitItem extends vscode.QuickPickItem {
  readonly session?: Session;
  readonly hit?: HitBody;
}

/** `AH: Search Sessions…`: everything that was ever on the screen of any session, the newest first, as it is found. */
export async function searchSessions(
  store: SessionStore,
  timelines: TimelinePanels,
  workerFile: string,
): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Search Sessions'),
    prompt: vscode.l10n.t('Everything that was ever shown is searched.'),
  });
  if (!text) return;
  await store.refresh();
  const pick = vscode.window.createQuickPick<HitItem>();
  const abort = new AbortController();
  pick.title = vscode.l10n.t('Sessions that showed “{0}”', text);
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.onDidHide(() => {
    abort.abort();
    pick.dispose();
  });
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item?.session && item.hit) timelines.show(item.session, targetOf(item.hit));
    pick.hide();
  });
  pick.show();
  for (const session of store.sessions) {
    const hits = await searchSession(session, text, workerFile, abort.signal);
    if (abort.signal.aborted) return;
    if (hits.length > 0) pick.items = [...pick.items, ...itemsOf(session, hits)];
  }
  pick.busy = false;
  if (pick.items.length === 0) {
    pick.items = [{ label: vscode.l10n.t('No session ever showed it.'), alwaysShow: true }];
  }
}

/** A session that cannot be read has nothing to find. */
async function searchSession(
  session: Session,
  text: string,
  workerFile: string,
  signal: AbortSignal,
): Promise<HitBody[]> {
  const hits: HitBody[] = [];
  const document = new TimelineDocument(workerFile, session.meta.recording);
  const stop = () => document.dispose();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const isIndexed = new Promise<boolean>((resolve) => {
      document.onDidTell((event) => {
        if (event.name === 'extent' && event.body.isIndexed) resolve(true);
        else if (event.name === 'trouble' && event.body.message !== null) resolve(false);
        else if (event.name === 'hits') hits.push(...event.body.hits);
      });
      signal.addEventListener('abort', () => resolve(false), { once: true });
    });
    if (!(await isIndexed)) return [];
    const query = { searchId: 1, text, isRegex: false, isCaseSensitive: false };
    await document.request('search', query);
    return hits.slice(0, HITS_PER_SESSION);
  } catch {
    return [];
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function itemsOf(session: Session, hits: readonly HitBody[]): HitItem[] {
  const started = dateOf(session.meta.startedAtNs);
  const day = dayText(started, vscode.env.language);
  const separator: HitItem = {
    label: `${sessionName(session)} · ${day}`,
    kind: vscode.QuickPickItemKind.Separator,
  };
  return [
    separator,
    ...hits.map((hit) => ({
      label: hit.excerpt.trim(),
      description: clockText(new Date(started.getTime() + hit.timeMs), vscode.env.language),
      alwaysShow: true,
      ...{ session, hit },
    })),
  ];
}

function targetOf({ isPassing, recordIndex, excerpt, byteOffset }: HitBody) {
  return isPassing ? { recordIndex, text: excerpt } : { byteOffset };
}
