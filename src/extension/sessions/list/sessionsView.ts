import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import type { LiveSessions } from '../../../agents/node/capture/liveSessions.ts';
import type { Attention } from '../../agents/attention.ts';
import { agentActivityOf } from '../../agents/agentActivity.ts';
import type { ModelSummaries } from '../../agents/modelSummaries.ts';
import { ChangedFileCounts } from './changedFileCounts.ts';
import { distantOriginal, originalsOf, rootsOf, rowsBelow } from '../branchRelations.ts';
import { configuration, onDidChangeConfiguration } from '../../configuration.ts';
import { setContextKey } from '../../contextKeys.ts';
import { CONTEXT_KEYS, VIEWS } from '../../contributions.ts';
import { isRunning, sessionName, type Session } from '../session.ts';
import { groupSessions, matchesFilter, type SessionGroup } from './sessionGroups.ts';
import { groupItem, sessionItem } from './sessionItem.ts';
import type { SessionStore } from '../sessionStore.ts';
import { sessionTooltip } from './sessionTooltip.ts';
import { snapshotCostOf } from './snapshotCost.ts';
import { missingSnapshotsText } from '../../terminals/missingSnapshotsWarning.ts';
import { belongsToWorkspace } from '../../workspaceKey.ts';

/** How often the durations of running sessions are updated. */
const TICK_MS = 10_000;
/** Delay that combines updates, because several agents may report many times a second. */
const UPDATE_DELAY_MS = 100;

/** If measuring the disk space takes longer, the tooltip appears without it. */
const COST_TIMEOUT_MS = 1500;

type Node = SessionGroup | Session;

/** The list of sessions in the side bar. */
export class SessionsView implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #store: SessionStore;
  readonly #live: LiveSessions;
  readonly #models: ModelSummaries;
  readonly #changed: ChangedFileCounts;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new vscode.EventEmitter<void>());
  readonly #view: vscode.TreeView<Node>;
  /** The last description of each row, by session ID. */
  readonly #descriptions = new Map<string, string>();
  #filter = '';
  #pendingUpdate: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(
    store: SessionStore,
    live: LiveSessions,
    attention: Attention,
    models: ModelSummaries,
  ) {
    this.#store = store;
    this.#live = live;
    this.#models = models;
    this.#changed = this.#resources.add(new ChangedFileCounts());
    this.#resources.add(this.#changed.onDidChange(() => this.#updateSoon()));
    this.#view = this.#resources.add(
      vscode.window.createTreeView(VIEWS.sessions, { treeDataProvider: this }),
    );
    this.#resources.add(store.onDidChange(() => this.#update()));
    this.#resources.add(onDidChangeConfiguration(() => this.#update()));
    this.#resources.add(live.onDidChange(() => this.#updateSoon()));
    this.#resources.add(models.onDidSummarize(() => this.#updateSoon()));
    this.#resources.add(attention.onDidChange(() => this.#showBadge(attention.waiting.length)));
    const tick = setInterval(() => {
      if (this.#view.visible && this.#hasMoved()) this.#changes.fire();
    }, TICK_MS);
    this.#resources.add({ dispose: () => clearInterval(tick) });
    this.#resources.add({ dispose: () => clearTimeout(this.#pendingUpdate) });
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  /** Shows the list in the side bar, and leaves the focus where it is. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEWS.sessions}.focus`, { preserveFocus: true });
  }

  get filter(): string {
    return this.#filter;
  }

  /** @param filter words to search for; an empty filter shows all sessions */
  setFilter(filter: string): void {
    this.#filter = filter.trim();
    const key = CONTEXT_KEYS.isFiltered;
    void setContextKey(key, this.#filter !== '');
    this.#update();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (isGroup(node)) return groupItem(node);
    const item = this.#item(node);
    this.#descriptions.set(node.meta.id, String(item.description));
    if (rowsBelow(node, this.#store.sessions).length > 0) {
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
      // Change the ID when the first branch appears: otherwise VS Code would keep the row
      // collapsed.
      item.id = `${node.meta.id}/branches`;
    }
    return item;
  }

  /**
   * Adds the tooltip. VS Code calls this only on hover: reading the activity of an old session
   * takes time.
   */
  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (isGroup(node)) return item;
    const timeout = AbortSignal.timeout(COST_TIMEOUT_MS);
    const [activity, cost, withoutSnapshots] = await Promise.all([
      agentActivityOf(node, this.#live, this.#models),
      Promise.race([snapshotCostOf(node, timeout), sleep(COST_TIMEOUT_MS, undefined)]),
      missingSnapshotsText(node),
    ]);
    item.tooltip = sessionTooltip(node, activity, cost, withoutSnapshots);
    return item;
  }

  getChildren(node?: Node): Node[] {
    const { sessions } = this.#store;
    if (!node) {
      return groupSessions(rootsOf(this.#visible()), new Date());
    }
    return isGroup(node) ? [...node.sessions] : rowsBelow(node, sessions);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #item(session: Session): vscode.TreeItem {
    const { sessions } = this.#store;
    const status = this.#live.status(session.meta.id);
    const item = sessionItem(session, status, this.#changed.get(session));
    const original = distantOriginal(session, sessions);
    if (!original) return item;
    const text = vscode.l10n.t('branch of {0}', sessionName(original));
    item.description = `${String(item.description)} · ${text}`;
    return item;
  }

  #updateSoon(): void {
    this.#pendingUpdate ??= setTimeout(() => {
      this.#pendingUpdate = undefined;
      this.#changes.fire();
    }, UPDATE_DELAY_MS);
  }

  /**
   * Whether a running session's description has changed. Checked before a refresh, because a
   * refresh closes open tooltips.
   */
  #hasMoved(): boolean {
    const isOld = (session: Session): boolean => {
      const said = this.#descriptions.get(session.meta.id);
      const { description } = this.#item(session);
      return said !== undefined && said !== description;
    };
    return this.#store.sessions.some((session) => isRunning(session) && isOld(session));
  }

  /** Shows the number of waiting sessions on the view's icon. */
  #showBadge(count: number): void {
    const tooltip =
      count === 1
        ? vscode.l10n.t('1 session is waiting for you')
        : vscode.l10n.t('{0} sessions are waiting for you', count);
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  #update(): void {
    // Show no message in an empty list: it would hide the welcome text, which says more.
    this.#view.message =
      this.#filter && this.#visible().length > 0
        ? vscode.l10n.t('Filtered by “{0}”', this.#filter)
        : '';
    this.#changes.fire();
  }

  #visible(): Session[] {
    const showsAll = configuration().sessionsShown === 'all';
    const { sessions } = this.#store;
    const belongsHere = (session: Session): boolean =>
      belongsToWorkspace(session) || originalsOf(session, sessions).some(belongsToWorkspace);
    return sessions.filter(
      (session) => (showsAll || belongsHere(session)) && matchesFilter(session, this.#filter),
    );
  }
}

function isGroup(node: Node): node is SessionGroup {
  return 'sessions' in node;
}
