import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { nanosecondsAt } from '../../timeline/common/recordIndex.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  parseAction,
  parseActivity,
  parseFrameParams,
  parseOpenSession,
  parsePlace,
  parseSearch,
  parseWebviewHello,
  WEBVIEW_PROTOCOL_VERSION,
  type ActionParams,
  type BranchBody,
  type DataEvents,
  type FrameParams,
  type HelloBody,
  type MomentBody,
  type SessionBody,
  type TimelineHostProtocol,
  type TimelinePageProtocol,
} from '../../timeline/common/webviewProtocol.ts';
import { lanesOf } from '../sessions/branchRelations.ts';
import { isRunning, sessionName, type Session } from '../sessions/session.ts';
import { stateText } from '../sessions/sessionItem.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { availableActions, runMomentAction } from './momentActions.ts';
import type { ThreadEvent, TimelineDocument } from './timelineDocument.ts';
import { WebviewTransport } from './webviewTransport.ts';

export interface TimelineConnectionOptions {
  readonly panel: vscode.WebviewPanel;
  readonly document: TimelineDocument;
  readonly store: SessionStore;
  /** Shows the timeline of a session. */
  readonly openSession: (session: Session) => void;
}

/** One page and one recording: what the page asks is checked, and answered by the recording's thread or by the editor. */
export class TimelineConnection implements Disposable {
  readonly #options: TimelineConnectionOptions;
  readonly #resources = new DisposableStore();
  readonly #channel: Channel<TimelineHostProtocol, TimelinePageProtocol>;
  readonly #commands: Thenable<readonly string[]>;
  #reveal: FrameParams | undefined;
  #told = '';
  #toldBranches = '[]';

  constructor(options: TimelineConnectionOptions) {
    this.#options = options;
    const { document, panel, store } = options;
    // Asked for before the page is there: the editor has much to do while that is loaded.
    this.#commands = vscode.commands.getCommands(true);
    this.#channel = this.#resources.add(
      new Channel<TimelineHostProtocol, TimelinePageProtocol>(
        this.#resources.add(new WebviewTransport(panel)),
        {
          hello: async (params) => ({ body: await this.#hello(parseWebviewHello(params)) }),
          frame: (params) => document.request('frame', parseFrameParams(params)),
          range: (params) => document.request('range', parsePlace(params)),
          activity: (params) => document.request('activity', parseActivity(params)),
          search: (params) => document.request('search', parseSearch(params)),
          runAction: async (params) => ({ body: await this.#run(parseAction(params)) }),
          openSession: (params) => Promise.resolve({ body: this.#open(parseOpenSession(params)) }),
        },
        {},
      ),
    );
    this.#resources.add(document.onDidTell((event) => this.#tell(event)));
    this.#resources.add(store.onDidChange(() => this.#tellSession()));
  }

  /** Leads the page to a place, now or when it is there. */
  reveal(target: FrameParams): void {
    this.#reveal = target;
    this.#channel.notify('reveal', { target });
  }

  dispose(): void {
    this.#resources.dispose();
  }

  get #session(): Session | undefined {
    const { store, document } = this.#options;
    return store.sessions.find(({ meta }) => meta.recording === document.file);
  }

  async #hello(protocolVersion: number): Promise<HelloBody> {
    if (protocolVersion !== WEBVIEW_PROTOCOL_VERSION) {
      const text = vscode.l10n.t('The extension was updated. Close this tab and open it again.');
      throw new UserError('wrong-version', text);
    }
    const reveal = this.#reveal ?? null;
    this.#reveal = undefined;
    const terminal = vscode.workspace.getConfiguration('terminal.integrated');
    const editor = vscode.workspace.getConfiguration('editor');
    const session = this.#sessionBody();
    this.#told = JSON.stringify(session);
    // After the answer, for the page must know what it is about before it hears more.
    setImmediate(() => this.#tellAll());
    return {
      ...{ protocolVersion, session, reveal, branches: this.#branches() },
      font: {
        family: terminal.get('fontFamily') || editor.get('fontFamily') || 'monospace',
        size: terminal.get('fontSize') ?? 14,
      },
      minimumContrast: terminal.get('minimumContrastRatio') ?? 4.5,
      actions: availableActions(await this.#commands, session.sessionId !== null),
    };
  }

  #tellAll(): void {
    for (const event of this.#options.document.latest) this.#tell(event);
  }

  #tell({ name, body }: ThreadEvent): void {
    // Nobody asked for the text: the page has no use for it.
    if (name !== 'transcript') this.#channel.notify(name, body);
    // Where branches begin can be said once it is known when the recording began.
    if (name === 'extent') this.#tellBranches();
  }

  #branches(): readonly BranchBody[] {
    const session = this.#session;
    if (!session) return [];
    const startNs = this.#startNs() || session.meta.startedAtNs;
    return lanesOf(session.meta.id, this.#options.store.sessions, startNs, Date.now());
  }

  #tellBranches(): void {
    const branches = this.#branches();
    const text = JSON.stringify(branches);
    if (text === this.#toldBranches) return;
    this.#toldBranches = text;
    this.#channel.notify('branches', { branches });
  }

  #tellSession(): void {
    this.#tellBranches();
    const session = this.#sessionBody();
    const text = JSON.stringify(session);
    if (text === this.#told) return;
    this.#told = text;
    this.#channel.notify('session', session);
    this.#options.panel.title = session.name;
  }

  #sessionBody(): SessionBody {
    const session = this.#session;
    if (!session) {
      const name = this.#options.document.file.replace(/^.*[/\\]/, '');
      return { sessionId: null, name, isRunning: false, stateText: '' };
    }
    return {
      sessionId: session.meta.id,
      name: sessionName(session),
      isRunning: isRunning(session),
      stateText: isRunning(session) ? vscode.l10n.t('running') : stateText(session),
    };
  }

  async #run(params: ActionParams): Promise<Record<string, never>> {
    const moment = this.#moments().find(({ id }) => id === params.momentId);
    await runMomentAction(params, {
      meta: this.#session && { id: this.#session.meta.id },
      recording: this.#options.document.file,
      momentId: moment?.id,
      snapshotId: moment?.snapshotId ?? (params.action === 'diff' ? moment?.changesId : undefined),
      byteOffset: moment?.byteOffset ?? params.byteOffset,
      tsNs: String(nanosecondsAt(this.#startNs(), moment?.timeMs ?? params.timeMs)),
    });
    return {};
  }

  #open({ sessionId }: { sessionId: string }): Record<string, never> {
    const session = this.#options.store.get(sessionId);
    if (!session) {
      throw new UserError('session-not-found', vscode.l10n.t('That session is no longer there.'));
    }
    this.#options.openSession(session);
    return {};
  }

  #moments(): readonly MomentBody[] {
    return this.#latest('moments')?.moments ?? [];
  }

  #startNs(): bigint {
    return BigInt(this.#latest('extent')?.startNs ?? 0);
  }

  #latest<K extends keyof DataEvents>(name: K): DataEvents[K] | undefined {
    for (const event of this.#options.document.latest) {
      if (event.name === name) return event.body as DataEvents[K];
    }
    return undefined;
  }
}
