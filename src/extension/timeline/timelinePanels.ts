import * as vscode from 'vscode';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { SeekTarget } from '../../timeline/common/playback/playback.ts';
import type { MenuAction } from '../../timeline/common/protocol/timelineProtocol.ts';
import { COMMANDS, EDITORS, PANELS } from '../contributions.ts';
import { sessionName, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import {
  asLostTimeline,
  findDeadTab,
  findOrphan,
  panelTitles,
  type LostTimeline,
} from './lostTimelines.ts';
import { tabIcon } from '../tabIcon.ts';
import { EarlierTimelines } from './earlierTimelines.ts';
import { asMenuTarget } from './menuTarget.ts';
import { TimelineConnection } from './timelineConnection.ts';
import { timelineTitle } from './timelineTitle.ts';
import { TimelineDocument } from './timelineDocument.ts';
import { RELOAD_COMMAND } from './pageDocument.ts';
import { timelineHtml, timelineResources } from './timelineHtml.ts';

/** Key in the state of the workspace for the timelines that were open. */
const OPEN_KEY = 'openTimelines';

interface OpenTimeline {
  readonly title: string;
  readonly panel: vscode.WebviewPanel;
  readonly connection: TimelineConnection;
}

/** A page and its thread, in a panel or in the editor of a recording file. */
interface ConnectedPage extends Disposable {
  readonly recording: string;
  readonly connection: TimelineConnection;
}

interface NewTimeline {
  readonly recording: string;
  readonly title: string;
  readonly at: SeekTarget | undefined;
  readonly place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus: boolean };
}

/** The timelines that are open in this window: one tab for each recording. */
export class TimelinePanels implements Disposable, vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #store: SessionStore;
  readonly #live: LiveSessions | undefined;
  readonly #opened: OpenedSnapshots;
  readonly #resources = new DisposableStore();
  readonly #connected = new Map<vscode.WebviewPanel, ConnectedPage>();
  readonly #open = new Map<string, OpenTimeline>();
  readonly #memento: vscode.Memento;
  /** Timelines whose tabs lost their extension host and are being replaced, by recording. */
  readonly #reconnecting = new Map<string, LostTimeline>();
  readonly #earlier: EarlierTimelines;
  readonly #shown = this.#resources.add(new Emitter<string>());

  /** Fires when the user opened the timeline of a recording. */
  readonly onDidShow = this.#shown.event;

  constructor(
    extensionUri: vscode.Uri,
    store: SessionStore,
    opened: OpenedSnapshots,
    memento: vscode.Memento,
    live?: LiveSessions,
  ) {
    this.#extensionUri = extensionUri;
    this.#store = store;
    this.#live = live;
    this.#opened = opened;
    this.#memento = memento;
    this.#earlier = new EarlierTimelines(memento.get(OPEN_KEY));
    this.#earlier.keep(panelTitles());
    this.#resources.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length === 0) return;
        this.#earlier.keep(panelTitles());
        this.#remember();
      }),
    );
    this.#resources.add(vscode.window.registerWebviewPanelSerializer(PANELS.timeline, this));
  }

  /** The script of the thread that reads a recording. */
  get workerFile(): string {
    return vscode.Uri.joinPath(this.#extensionUri, 'dist/timelineWorker.cjs').fsPath;
  }

  /** The session whose timeline is the active editor. */
  get activeSession(): Session | undefined {
    for (const [recording, { panel }] of this.#open) {
      if (panel.active)
        return this.#store.sessions.find(({ meta }) => meta.recording === recording);
    }
    return undefined;
  }

  /** Shows the timeline of a session, at a position if given. */
  show(session: Session, at?: SeekTarget): void {
    const { recording } = session.meta;
    this.#shown.fire(recording);
    const open = this.#open.get(recording);
    if (open) {
      open.panel.reveal();
      if (at) open.connection.reveal(at);
      return;
    }
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
    this.#createOrReplace({ recording, title: timelineTitle(sessionName(session)), at, place });
  }

  /** Opens the timeline of a session beside the active editor, which keeps the focus. */
  showBeside(session: Session): void {
    const { recording } = session.meta;
    if (this.#open.has(recording)) return;
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const title = timelineTitle(sessionName(session));
    this.#createOrReplace({ recording, title, at: undefined, place });
  }

  /** Runs the chosen entry of a page's context menu in that page. */
  runMenu(action: MenuAction, argument: unknown): Promise<void> {
    const target = asMenuTarget(argument);
    const pages = [...this.#connected].filter(([, page]) => page.recording === target?.recording);
    const [, clicked] = pages.find(([panel]) => panel.active) ?? pages[0] ?? [];
    clicked?.connection.runMenu({ action, momentId: target?.momentId ?? null });
    return Promise.resolve();
  }

  /** Creates a panel, or replaces the tab that an earlier extension host left. */
  #createOrReplace(options: NewTimeline): void {
    const { recording, place } = options;
    const title = this.#earlier.uniqueTitle(recording);
    const orphan = title === undefined ? undefined : findOrphan(title, this.#connected.keys());
    if (!orphan) return this.#create(options);
    this.#create({ ...options, place: { ...place, viewColumn: orphan.group.viewColumn } });
    void vscode.window.tabGroups.close(orphan.tab, true);
  }

  #create({ recording, title, at, place }: NewTimeline): void {
    const panel = vscode.window.createWebviewPanel(PANELS.timeline, title, place, {
      enableFindWidget: false,
    });
    const connection = this.#adopt(panel, recording, title);
    if (at) connection.reveal(at);
  }

  /**
   * Replaces the tab of a page whose extension host was killed. VS Code keeps such a tab but does
   * not connect it to another extension host.
   */
  async reconnect(argument: unknown): Promise<void> {
    const lost = asLostTimeline(argument);
    // Ignore a second click: while the dead tab closes, the tab behind it could be mistaken for it.
    if (!lost || this.#reconnecting.has(lost.recording)) return;
    this.#reconnecting.set(lost.recording, lost);
    try {
      await this.#replaceDeadTab(lost);
    } finally {
      this.#reconnecting.delete(lost.recording);
    }
  }

  async #replaceDeadTab({ recording }: LostTimeline): Promise<void> {
    const session = this.#store.sessions.find(({ meta }) => meta.recording === recording);
    const name = session ? sessionName(session) : recording.replace(/^.*[/\\]/, '');
    const title = timelineTitle(name);
    const dead = findDeadTab({ recording, title }, this.#connected.keys());
    if (!dead) return;
    const { tab, group } = dead;
    const place = { viewColumn: group.viewColumn, preserveFocus: !group.isActive };
    if (tab.input instanceof vscode.TabInputCustom) {
      // Close the dead tab first: VS Code would show the same document in it again.
      await vscode.window.tabGroups.close(tab);
      const file = vscode.Uri.file(recording);
      await vscode.commands.executeCommand('vscode.openWith', file, EDITORS.recording, place);
      return;
    }
    const open = this.#open.get(recording);
    if (open) open.panel.reveal(undefined, true);
    else this.#create({ recording, title, at: undefined, place });
    await vscode.window.tabGroups.close(tab, true);
  }

  /** Closes the tab, which also discards the state that its page stored for a reload. */
  close(recording: string): void {
    this.#open.get(recording)?.panel.dispose();
  }

  /** Turns any tab into the timeline of a recording. */
  connect(panel: vscode.WebviewPanel, recording: string, title: string): TimelineConnection {
    panel.iconPath = tabIcon(this.#extensionUri, 'timeline');
    panel.webview.options = {
      enableScripts: true,
      // The page links to these when its extension host or its own files are gone.
      enableCommandUris: [COMMANDS.reconnectTimeline, RELOAD_COMMAND],
      localResourceRoots: [timelineResources(this.#extensionUri)],
    };
    const document = new TimelineDocument(this.workerFile, recording);
    const connection = new TimelineConnection({
      panel,
      document,
      store: this.#store,
      live: this.#live,
      opened: this.#opened,
      openSession: (session, at) => this.show(session, at),
    });
    const resources = new DisposableStore();
    resources.add(document);
    resources.add(connection);
    this.#connected.set(panel, {
      recording,
      connection,
      dispose: () => resources.dispose(),
    });
    panel.onDidDispose(() => {
      this.#connected.delete(panel);
      resources.dispose();
    });
    const lost = this.#reconnecting.get(recording);
    if (lost) connection.replace(lost);
    panel.webview.html = timelineHtml({ title, recording }, panel.webview, this.#extensionUri);
    return connection;
  }

  /** Restores a tab after a reload. Checks the state: a page wrote it. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const recording = (state as { recording?: unknown } | null | undefined)?.recording;
    if (typeof recording !== 'string' || !recording.endsWith('.ahr')) {
      panel.dispose();
      return Promise.resolve();
    }
    this.#adopt(panel, recording, panel.title);
    return Promise.resolve();
  }

  /** Opens a link to a moment, in the format of {@link runMomentAction}. */
  showLink(uri: vscode.Uri): void {
    const query = new URLSearchParams(uri.query);
    const byte = /^@(\d{1,15})$/.exec(query.get('at') ?? '')?.[1];
    const session = this.#store.get(query.get('session') ?? '');
    if (!session || uri.path !== '/timeline') {
      const text = vscode.l10n.t('Can’t open the link: its session is not on this machine.');
      throw new UserError('session-not-found', text);
    }
    this.show(session, byte === undefined ? undefined : { byteOffset: Number(byte) });
  }

  dispose(): void {
    // The tabs stay open: VS Code restores them after a reload.
    for (const page of this.#connected.values()) page.dispose();
    this.#resources.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, recording: string, title: string): TimelineConnection {
    const connection = this.connect(panel, recording, title);
    this.#open.set(recording, { title, panel, connection });
    this.#earlier.delete(recording);
    this.#remember();
    panel.onDidDispose(() => {
      // A restored tab may have replaced this panel in the meantime.
      if (this.#open.get(recording)?.panel === panel) this.#open.delete(recording);
      this.#remember();
    });
    return connection;
  }

  /** Stores which timelines are open, for the next extension host. */
  #remember(): void {
    const open = [...this.#open].map(([recording, { title }]) => [recording, title]);
    void this.#memento.update(OPEN_KEY, [...this.#earlier.all, ...open]);
  }
}
