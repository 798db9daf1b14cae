import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { nanosecondsAt } from '../../timeline/common/recordIndex.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  parseAction,
  parseCopiedText,
  parseHelloRequest,
  parseOpenSession,
  parsePosition,
} from '../../timeline/common/protocol/parseRequests.ts';
import {
  WEBVIEW_PROTOCOL_VERSION,
  type ActionRequest,
  type BranchLane,
  type DataEvents,
  type Hello,
  type MenuRequest,
  type MomentPosition,
  type SessionHeader,
  type SessionOrigin,
  type TimelineHostProtocol,
  type TimelinePageProtocol,
} from '../../timeline/common/protocol/timelineProtocol.ts';
import type { SeekTarget } from '../../timeline/common/playback/playback.ts';
import { withDiscarded } from '../../timeline/common/moments/discardedBranches.ts';
import type { PageMoment } from '../../timeline/common/moments/moment.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { statusLabel } from '../agents/statusStyle.ts';
import { lanesOf } from '../sessions/branchRelations.ts';
import { isRunning, sessionName, type Session } from '../sessions/session.ts';
import { stateText } from '../sessions/list/sessionItem.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import type { LostTimeline } from './lostTimelines.ts';
import { DiscardedBranches } from './discardedBranches.ts';
import { availableActions, runMomentAction } from './momentActions.ts';
import { momentFiles } from './momentFiles.ts';
import type { ThreadEvent, TimelineDocument } from './timelineDocument.ts';
import { timelineTitle } from './timelineTitle.ts';
import { WebviewTransport } from './webviewTransport.ts';

export interface TimelineConnectionOptions {
  readonly panel: vscode.WebviewPanel;
  readonly document: TimelineDocument;
  readonly store: SessionStore;
  /** The status of agents; undefined where nothing is recorded. */
  readonly live: LiveSessions | undefined;
  readonly opened: OpenedSnapshots;
  /** Opens the timeline of another session. */
  readonly openSession: (session: Session, at: SeekTarget | undefined) => void;
}

type OpenSessionRequest = TimelineHostProtocol['requests']['openSession']['params'];

/** Answers the requests of a page, or forwards them to the thread of its recording. */
export class TimelineConnection implements Disposable {
  readonly #options: TimelineConnectionOptions;
  readonly #resources = new DisposableStore();
  readonly #channel: Channel<TimelineHostProtocol, TimelinePageProtocol>;
  readonly #commands: Thenable<readonly string[]>;
  readonly #discarded: DiscardedBranches;
  /** The session when it was last listed: the header of a deleted session still names it. */
  #lastSession: Session | undefined;
  #reveal: SeekTarget | undefined;
  #instruction: string | undefined;
  #isDisposed = false;
  #sentSession = '';
  #sentBranches = '[]';

  constructor(options: TimelineConnectionOptions) {
    this.#options = options;
    const { document, panel, store, live } = options;
    this.#discarded = new DiscardedBranches(store);
    // Request this early: VS Code is busy while it loads the page.
    this.#commands = vscode.commands.getCommands(true);
    this.#channel = this.#resources.add(
      new Channel<TimelineHostProtocol, TimelinePageProtocol>(
        this.#resources.add(new WebviewTransport(panel)),
        {
          hello: async (params) => ({ body: await this.#hello(parseHelloRequest(params)) }),
          ping: () => Promise.resolve({ body: {} }),
          frame: (params) => document.forward('frame', params),
          range: (params) => document.forward('range', params),
          activity: (params) => document.forward('activity', params),
          search: (params) => document.forward('search', params),
          runAction: async (params) => ({ body: await this.#run(parseAction(params)) }),
          files: async (params) => ({ body: await this.#files(parsePosition(params)) }),
          copyText: async (params) => {
            await vscode.env.clipboard.writeText(parseCopiedText(params));
            return { body: {} };
          },
          openSession: (params) => Promise.resolve({ body: this.#open(parseOpenSession(params)) }),
        },
        {},
      ),
    );
    this.#resources.add(document.onEvent((event) => this.#send(event)));
    this.#resources.add(
      store.onDidChange(() => {
        this.#sendSession();
        void this.#checkBranches();
      }),
    );
    if (live) this.#resources.add(live.onDidChange(() => this.#sendSession()));
  }

  /** Goes to a position: now, or as soon as the page has loaded. */
  reveal(target: SeekTarget): void {
    this.#reveal = target;
    this.#channel.notify('reveal', { target });
  }

  /**
   * Makes this page continue where a page was that lost its extension host. Call before this page
   * loads.
   */
  replace({ at, instruction }: LostTimeline): void {
    this.#reveal = at;
    this.#instruction = instruction;
  }

  runMenu(entry: MenuRequest): void {
    this.#channel.notify('menu', entry);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#resources.dispose();
  }

  get #session(): Session | undefined {
    const { store, document } = this.#options;
    const session = store.sessions.find(({ meta }) => meta.recording === document.file);
    if (session) this.#lastSession = session;
    return session;
  }

  async #hello(protocolVersion: number): Promise<Hello> {
    if (protocolVersion !== WEBVIEW_PROTOCOL_VERSION) {
      const text = vscode.l10n.t('The extension was updated. Close this tab and open it again.');
      throw new UserError('wrong-version', text);
    }
    const reveal = this.#reveal ?? null;
    const instruction = this.#instruction ?? null;
    this.#reveal = this.#instruction = undefined;
    const terminal = vscode.workspace.getConfiguration('terminal.integrated');
    const editor = vscode.workspace.getConfiguration('editor');
    const session = this.#sessionHeader();
    this.#sentSession = JSON.stringify(session);
    // Send events after the reply, which the page needs first.
    setImmediate(() => this.#sendLatest());
    return {
      protocolVersion,
      session,
      reveal,
      instruction,
      branches: this.#branches(),
      font: {
        family: terminal.get('fontFamily') || editor.get('fontFamily') || 'monospace',
        size: terminal.get('fontSize') ?? 14,
      },
      minimumContrast: terminal.get('minimumContrastRatio') ?? 4.5,
      actions: availableActions(await this.#commands, session.sessionId !== null),
    };
  }

  #sendLatest(): void {
    for (const event of this.#options.document.latest) this.#send(event);
  }

  #send({ name, body }: ThreadEvent): void {
    // The page does not show the transcript.
    if (name === 'moments') this.#sendMoments(body.moments);
    else if (name !== 'transcript') this.#channel.notify(name, body);
    // Times of branches are relative to the start of the recording, which this event contains.
    if (name === 'extent') this.#sendBranches();
  }

  #sendMoments(moments: readonly PageMoment[]): void {
    this.#channel.notify('moments', { moments: withDiscarded(moments, this.#discarded.ids) });
    void this.#checkBranches();
  }

  /** Says of branches that they were discarded, this session itself included. */
  async #checkBranches(): Promise<void> {
    // The branches of a session from another machine are not here.
    if (!this.#session && !this.#lastSession) return;
    const moments = this.#moments();
    const own = this.#lastSession?.meta.branchOf ? [this.#lastSession.meta.id] : [];
    const ids = [...own, ...moments.flatMap(({ branchId }) => branchId ?? [])];
    if (!(await this.#discarded.check(ids)) || this.#isDisposed) return;
    this.#sendMoments(moments);
    this.#sendSession();
  }

  #branches(): readonly BranchLane[] {
    const session = this.#session;
    if (!session) return [];
    const startNs = this.#startNs() || session.meta.startedAtNs;
    return lanesOf(session.meta.id, this.#options.store.sessions, startNs, Date.now());
  }

  #sendBranches(): void {
    const branches = this.#branches();
    const text = JSON.stringify(branches);
    if (text === this.#sentBranches) return;
    this.#sentBranches = text;
    this.#channel.notify('branches', { branches });
  }

  #sendSession(): void {
    this.#sendBranches();
    const session = this.#sessionHeader();
    const text = JSON.stringify(session);
    if (text === this.#sentSession) return;
    this.#sentSession = text;
    this.#channel.notify('session', session);
    this.#options.panel.title = timelineTitle(session.name);
  }

  #sessionHeader(): SessionHeader {
    const session = this.#session;
    if (!session) return this.#headerWithoutSession();
    return {
      sessionId: session.meta.id,
      name: sessionName(session),
      isRunning: isRunning(session),
      stateText: isRunning(session) ? this.#runningText(session) : stateText(session),
      origin: this.#origin(session),
    };
  }

  #headerWithoutSession(): SessionHeader {
    const none = { sessionId: null, isRunning: false };
    const deleted = this.#lastSession;
    if (!deleted) {
      const name = this.#options.document.file.replace(/^.*[/\\]/, '');
      return { ...none, name, stateText: '', origin: null };
    }
    const isDiscarded = this.#discarded.ids.has(deleted.meta.id);
    const stateText = isDiscarded ? vscode.l10n.t('discarded') : vscode.l10n.t('deleted');
    return { ...none, name: sessionName(deleted), stateText, origin: this.#origin(deleted) };
  }

  #runningText({ meta }: Session): string {
    const status = this.#options.live?.status(meta.id);
    return (status && statusLabel(status)) ?? vscode.l10n.t('running');
  }

  #origin({ meta }: Session): SessionOrigin | null {
    const from = meta.branchOf;
    const original = from && this.#options.store.get(from.fromSessionId);
    if (!original) return null;
    return {
      sessionId: from.fromSessionId,
      name: sessionName(original),
      clock: clockText(dateOf(from.fromTs), vscode.env.language),
      byteOffset: from.fromByte,
    };
  }

  async #run(params: ActionRequest): Promise<{ isDone: boolean }> {
    const moment = this.#moments().find(({ id }) => id === params.momentId);
    const isTurn = params.action === 'diff' && moment?.snapshotId === undefined;
    const result = await runMomentAction(params, {
      meta: this.#session && { id: this.#session.meta.id },
      snapshotId: moment?.snapshotId ?? (params.action === 'diff' ? moment?.changesId : undefined),
      ...(isTurn && { fromSnapshotId: moment?.changesFromId }),
      byte: moment?.byteOffset ?? params.byteOffset,
      timeNs: String(nanosecondsAt(this.#startNs(), moment?.timeMs ?? params.timeMs)),
      ...(params.message !== null && { message: params.message }),
    });
    return { isDone: result !== undefined };
  }

  async #files(params: MomentPosition): Promise<{ files: readonly string[] }> {
    const session = this.#session;
    if (!session) return { files: [] };
    const moment = this.#moments().find(({ id }) => id === params.momentId);
    const timeNs = nanosecondsAt(this.#startNs(), moment?.timeMs ?? params.timeMs);
    const at =
      moment?.snapshotId === undefined
        ? { byte: moment?.byteOffset ?? params.byteOffset, timeNs }
        : { snapshotId: BigInt(moment.snapshotId) };
    return { files: await momentFiles(this.#options.opened, session.meta.id, at) };
  }

  #open({ sessionId, byteOffset }: OpenSessionRequest): Record<string, never> {
    const session = this.#options.store.get(sessionId);
    if (!session) {
      throw new UserError('session-not-found', vscode.l10n.t('This session no longer exists.'));
    }
    this.#options.openSession(session, byteOffset === null ? undefined : { byteOffset });
    return {};
  }

  #moments(): readonly PageMoment[] {
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
