import * as vscode from 'vscode';
import type { FactKind } from '../../agents/common/events/fact.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { plain } from '../../base/plainText.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import type { FoundFact } from '../../search/node/factSource.ts';
import type { SearchThread } from '../../search/node/searchThread.ts';
import { COMMANDS, VIEWS } from '../contributions.ts';
import { sessionName } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { factIcon, factTime, searchedSessions } from './factStyle.ts';

/** Kinds of facts that the view lists. */
const KINDS: readonly FactKind[] = ['prompt', 'tool', 'approval', 'failure', 'end'];
const MAX_FACTS = 200;
const UPDATE_DELAY_MS = 500;

/** Lists the activity of all agents, newest first. Reads the index only while it is visible. */
export class FeedView implements vscode.TreeDataProvider<FoundFact>, Disposable {
  readonly #store: SessionStore;
  readonly #search: SearchThread;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new vscode.EventEmitter<void>());
  readonly #view: vscode.TreeView<FoundFact>;
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(store: SessionStore, live: LiveSessions, search: SearchThread) {
    this.#store = store;
    this.#search = search;
    this.#view = this.#resources.add(
      vscode.window.createTreeView(VIEWS.feed, { treeDataProvider: this }),
    );
    this.#resources.add(live.onNews(({ events }) => events.length > 0 && this.#updateSoon()));
    this.#resources.add(store.onDidChange(() => this.#updateSoon()));
    this.#resources.add(search.onDidForget(() => this.#updateSoon()));
    this.#resources.add(
      this.#view.onDidChangeVisibility(({ visible }) => visible && this.#changes.fire()),
    );
    this.#resources.add({ dispose: () => clearTimeout(this.#timer) });
  }

  async getChildren(node?: FoundFact): Promise<FoundFact[]> {
    if (node || !this.#view.visible) return [];
    return [...(await this.#search.latest(KINDS, searchedSessions(this.#store), MAX_FACTS))];
  }

  getTreeItem(fact: FoundFact): vscode.TreeItem {
    const session = this.#store.get(fact.session);
    const name = session ? sessionName(session) : '';
    const item = new vscode.TreeItem(plain(fact.excerpt));
    const when = factTime(new Date(fact.timeMs));
    item.id = `${fact.session} ${fact.event}`;
    item.description = vscode.l10n.t('{0} · {1}', name, when);
    item.iconPath = factIcon(fact.kind);
    item.tooltip = new vscode.MarkdownString()
      .appendText(fact.excerpt)
      .appendMarkdown('\n\n')
      .appendText(`${name}, ${when}`);
    item.command = {
      command: COMMANDS.openFact,
      title: vscode.l10n.t('Open Timeline'),
      arguments: [fact],
    };
    return item;
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #updateSoon(): void {
    if (!this.#view.visible) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changes.fire();
    }, UPDATE_DELAY_MS);
  }
}
