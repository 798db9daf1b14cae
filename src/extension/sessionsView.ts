import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { configuration, onDidChangeConfiguration } from './configuration.ts';
import { CONTEXT_KEYS, VIEWS } from './contributions.ts';
import { isRunning, type Session } from './session.ts';
import { groupSessions, matchesFilter, type SessionGroup } from './sessionGroups.ts';
import { groupItem, sessionItem } from './sessionItem.ts';
import type { SessionStore } from './sessionStore.ts';
import { belongsToWorkspace } from './workspaceKey.ts';

/** The clock of running sessions in the list moves this often. */
const TICK_MS = 10_000;

type Node = SessionGroup | Session;

/** The list of sessions in the side bar. */
export class SessionsView implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #store: SessionStore;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new vscode.EventEmitter<void>());
  readonly #view: vscode.TreeView<Node>;
  #filter = '';

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(store: SessionStore) {
    this.#store = store;
    this.#view = this.#resources.add(
      vscode.window.createTreeView(VIEWS.sessions, { treeDataProvider: this }),
    );
    this.#resources.add(store.onDidChange(() => this.#update()));
    this.#resources.add(onDidChangeConfiguration(() => this.#update()));
    const tick = setInterval(() => {
      if (this.#view.visible && store.sessions.some(isRunning)) this.#changes.fire();
    }, TICK_MS);
    this.#resources.add({ dispose: () => clearInterval(tick) });
  }

  get filter(): string {
    return this.#filter;
  }

  /** Empty shows everything. */
  setFilter(filter: string): void {
    this.#filter = filter.trim();
    const key = CONTEXT_KEYS.isFiltered;
    void vscode.commands.executeCommand('setContext', key, this.#filter !== '');
    this.#update();
  }

  /** The one session that is selected. */
  get selection(): Session | undefined {
    const [node] = this.#view.selection;
    return node && !isGroup(node) ? node : undefined;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return isGroup(node) ? groupItem(node) : sessionItem(node);
  }

  getChildren(node?: Node): Node[] {
    if (!node) return groupSessions(this.#visible(), new Date());
    return isGroup(node) ? [...node.sessions] : [];
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #update(): void {
    // With nothing to list, a message would take the place of the welcome, which says more.
    this.#view.message =
      this.#filter && this.#visible().length > 0
        ? vscode.l10n.t('Filtered by “{0}”', this.#filter)
        : '';
    this.#changes.fire();
  }

  #visible(): Session[] {
    const showsAll = configuration().sessionsShown === 'all';
    return this.#store.sessions.filter(
      (session) =>
        (showsAll || belongsToWorkspace(session)) && matchesFilter(session, this.#filter),
    );
  }
}

function isGroup(node: Node): node is SessionGroup {
  return 'sessions' in node;
}
