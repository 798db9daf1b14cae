import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import type { SnapshotCost } from '../../snapshots/node/snapshotCosts.ts';
import type { Attention } from '../agents/attention.ts';
import { agentActivityOf } from '../agents/agentActivity.ts';
import type { ModelSummaries } from '../agents/modelSummaries.ts';
import { branchesOf, isLive, rootsOf } from './branchRelations.ts';
import { configuration, onDidChangeConfiguration } from '../configuration.ts';
import { CONTEXT_KEYS, VIEWS } from '../contributions.ts';
import { isRunning, type Session } from './session.ts';
import { groupSessions, matchesFilter, type SessionGroup } from './sessionGroups.ts';
import { groupItem, sessionItem } from './sessionItem.ts';
import type { SessionStore } from './sessionStore.ts';
import { sessionTooltip } from './sessionTooltip.ts';
import { belongsToWorkspace } from '../workspaceKey.ts';

/** The clock of running sessions in the list moves this often. */
const TICK_MS = 10_000;
/** Many agents at work tell something many times a second; nobody reads that fast. */
const GATHER_MS = 100;

/** Nobody waits longer to be told what a thing is. */
const COST_PATIENCE_MS = 1500;

type Node = SessionGroup | Session;

export interface SessionCosts {
  /** What the files of a session cost; nothing when that cannot be told. */
  costOf(session: Session, signal: AbortSignal): Promise<SnapshotCost | undefined>;
}

/** The list of sessions in the side bar. */
export class SessionsView implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #store: SessionStore;
  readonly #live: LiveSessions;
  readonly #models: ModelSummaries;
  readonly #costs: SessionCosts;
  readonly #resources = new DisposableStore();
  readonly #changes = this.#resources.add(new vscode.EventEmitter<void>());
  readonly #view: vscode.TreeView<Node>;
  /** The description of each row, by session, as it was asked for last. */
  readonly #said = new Map<string, string>();
  #filter = '';
  #gathering: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(
    store: SessionStore,
    live: LiveSessions,
    attention: Attention,
    models: ModelSummaries,
    costs: SessionCosts,
  ) {
    this.#costs = costs;
    this.#store = store;
    this.#live = live;
    this.#models = models;
    this.#view = this.#resources.add(
      vscode.window.createTreeView(VIEWS.sessions, { treeDataProvider: this }),
    );
    this.#resources.add(store.onDidChange(() => this.#update()));
    this.#resources.add(onDidChangeConfiguration(() => this.#update()));
    this.#resources.add(live.onDidChange(() => this.#updateSoon()));
    this.#resources.add(models.onDidSay(() => this.#updateSoon()));
    this.#resources.add(attention.onDidChange(() => this.#showBadge(attention.waiting.length)));
    const tick = setInterval(() => {
      if (this.#view.visible && this.#hasMoved()) this.#changes.fire();
    }, TICK_MS);
    this.#resources.add({ dispose: () => clearInterval(tick) });
    this.#resources.add({ dispose: () => clearTimeout(this.#gathering) });
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

  getTreeItem(node: Node): vscode.TreeItem {
    if (isGroup(node)) return groupItem(node);
    const item = sessionItem(node, this.#live.status(node.meta.id));
    this.#said.set(node.meta.id, String(item.description));
    if (branchesOf(node.meta.id, this.#store.sessions).length > 0) {
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
      // To the editor another row, for one that it knows without rows below stays closed when it gets some.
      item.id = `${node.meta.id}/branches`;
    }
    return item;
  }

  /** Only for the one that the pointer is on: what a session did long ago has to be read first. */
  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (isGroup(node)) return item;
    const patience = AbortSignal.timeout(COST_PATIENCE_MS);
    const [doings, cost] = await Promise.all([
      agentActivityOf(node, this.#live, this.#models),
      Promise.race([this.#costs.costOf(node, patience), sleep(COST_PATIENCE_MS, undefined)]),
    ]);
    item.tooltip = sessionTooltip(node, doings, cost);
    return item;
  }

  getChildren(node?: Node): Node[] {
    const { sessions } = this.#store;
    if (!node) {
      const roots = rootsOf(this.#visible());
      return groupSessions(roots, new Date(), (session) => isLive(session, sessions));
    }
    return isGroup(node) ? [...node.sessions] : branchesOf(node.meta.id, sessions);
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #updateSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#changes.fire();
    }, GATHER_MS);
  }

  /** Whether the clock of a running session says something else now: a list that is drawn anew takes away what a person reads of it. */
  #hasMoved(): boolean {
    const isOld = (session: Session): boolean => {
      const said = this.#said.get(session.meta.id);
      const { description } = sessionItem(session, this.#live.status(session.meta.id));
      return said !== undefined && said !== description;
    };
    return this.#store.sessions.some((session) => isRunning(session) && isOld(session));
  }

  /** How many wait for the person, on the icon of the view. */
  #showBadge(count: number): void {
    const tooltip =
      count === 1
        ? vscode.l10n.t('One session waits for you')
        : vscode.l10n.t('{0} sessions wait for you', count);
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
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
