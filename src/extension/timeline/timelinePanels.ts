import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { FrameParams } from '../../timeline/common/webviewProtocol.ts';
import { PANELS } from '../contributions.ts';
import { sessionName, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { TimelineConnection } from './timelineConnection.ts';
import { TimelineDocument } from './timelineDocument.ts';
import { timelineHtml, timelineResources } from './timelineHtml.ts';

interface OpenTimeline {
  readonly panel: vscode.WebviewPanel;
  readonly connection: TimelineConnection;
}

/** The timelines that are open in this window, one tab for each recording. */
export class TimelinePanels implements Disposable, vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #store: SessionStore;
  readonly #resources = new DisposableStore();
  readonly #connected = new Set<Disposable>();
  readonly #open = new Map<string, OpenTimeline>();

  constructor(extensionUri: vscode.Uri, store: SessionStore) {
    this.#extensionUri = extensionUri;
    this.#store = store;
    this.#resources.add(vscode.window.registerWebviewPanelSerializer(PANELS.timeline, this));
  }

  /** The program of the thread that reads a recording. */
  get workerFile(): string {
    return vscode.Uri.joinPath(this.#extensionUri, 'dist/timelineWorker.cjs').fsPath;
  }

  /** Whose timeline is in front. */
  get activeSession(): Session | undefined {
    for (const [recording, { panel }] of this.#open) {
      if (panel.active)
        return this.#store.sessions.find(({ meta }) => meta.recording === recording);
    }
    return undefined;
  }

  /** Shows the timeline of a session, at a place if one is given. */
  show(session: Session, at?: FrameParams): void {
    this.showRecording(session.meta.recording, sessionName(session), at);
  }

  showRecording(recording: string, title: string, at?: FrameParams): void {
    const open = this.#open.get(recording);
    if (open) {
      open.panel.reveal();
      if (at) open.connection.reveal(at);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      PANELS.timeline,
      title,
      vscode.ViewColumn.Active,
      { enableFindWidget: false },
    );
    const connection = this.#adopt(panel, recording, title);
    if (at) connection.reveal(at);
  }

  /** What a page kept for a reload goes with it. */
  close(recording: string): void {
    this.#open.get(recording)?.panel.dispose();
  }

  /** Makes a tab, of whichever kind, the timeline of a recording. */
  connect(panel: vscode.WebviewPanel, recording: string, title: string): TimelineConnection {
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [timelineResources(this.#extensionUri)],
    };
    const document = new TimelineDocument(this.workerFile, recording);
    const connection = new TimelineConnection({
      ...{ panel, document, store: this.#store },
      openSession: (session) => this.show(session),
    });
    const resources = new DisposableStore();
    resources.add(document);
    resources.add(connection);
    this.#connected.add(resources);
    panel.onDidDispose(() => {
      this.#connected.delete(resources);
      resources.dispose();
    });
    panel.webview.html = timelineHtml({ title, recording }, panel.webview, this.#extensionUri);
    return connection;
  }

  /** Brings a tab back after a reload. What the page kept came from a page, and is checked. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const recording = (state as { recording?: unknown } | null | undefined)?.recording;
    if (typeof recording !== 'string' || !recording.endsWith('.ahr')) {
      panel.dispose();
      return Promise.resolve();
    }
    this.#adopt(panel, recording, panel.title);
    return Promise.resolve();
  }

  /** A link to a moment, as {@link runMomentAction} copies it. */
  showLink(uri: vscode.Uri): void {
    const query = new URLSearchParams(uri.query);
    const byte = /^@(\d{1,15})$/.exec(query.get('at') ?? '')?.[1];
    const session = this.#store.get(query.get('session') ?? '');
    if (!session || uri.path !== '/timeline') {
      const text = vscode.l10n.t('The session of this link is not on this machine.');
      throw new UserError('session-not-found', text);
    }
    this.show(session, byte === undefined ? undefined : { byteOffset: Number(byte) });
  }

  dispose(): void {
    // The tabs stay: after a reload they are brought back.
    for (const resources of this.#connected) resources.dispose();
    this.#resources.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, recording: string, title: string): TimelineConnection {
    const connection = this.connect(panel, recording, title);
    this.#open.set(recording, { panel, connection });
    panel.onDidDispose(() => this.#open.delete(recording));
    return connection;
  }
}
