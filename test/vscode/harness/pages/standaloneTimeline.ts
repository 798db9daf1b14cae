import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Emitter } from '../../../../src/base/emitter.ts';
import { pageDocument } from '../../../../src/extension/timeline/pageDocument.ts';
import { messageOf } from '../../../../src/base/errors.ts';
import { Channel, type Transport } from '../../../../src/rpc/channel.ts';
import {
  MOMENT_ACTIONS,
  WEBVIEW_PROTOCOL_VERSION,
  type ActionRequest,
  type BranchLane,
  type DataEvents,
  type MenuRequest,
  type MomentPosition,
  type SessionHeader,
  type TimelineHostProtocol,
  type TimelinePageProtocol,
} from '../../../../src/timeline/common/protocol/timelineProtocol.ts';
import { withDiscarded } from '../../../../src/timeline/common/moments/discardedBranches.ts';
import type { SeekTarget } from '../../../../src/timeline/common/playback/playback.ts';
import { dist } from '../../../support/ah.ts';
import { TimelineThread } from '../../../support/timelineThread.ts';
import { TimelineView } from './timelineView.ts';

const ADDRESS = 'http://timeline.test/';

interface OpenedSession {
  readonly sessionId: string;
  readonly byteOffset: number | null;
}

export interface StandaloneOptions {
  readonly session?: Partial<SessionHeader>;
  readonly branches?: readonly BranchLane[];
  /** Files of the page that can't be loaded. */
  readonly missing?: readonly string[];
  /** The IDs of discarded branches. */
  readonly discarded?: readonly string[];
  /** The files at each moment. */
  readonly files?: readonly string[];
  /** What the user was writing in the page that this one replaces. */
  readonly instruction?: string;
  readonly isMotionReduced?: boolean;
  /** A language of `l10n`; English if undefined. */
  readonly language?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/**
 * The timeline's page in a real browser, with the real thread but without VS Code. Fast enough for
 * hundreds of positions, where journeys check a few.
 */
export class StandaloneTimeline extends TimelineView {
  readonly #channel: Channel<TimelineHostProtocol, TimelinePageProtocol>;
  readonly #thread: TimelineThread;
  readonly #latest = new Map<keyof DataEvents, unknown>();
  readonly #session: SessionHeader;
  readonly #discarded: ReadonlySet<string>;
  /** Actions that the page requested. */
  readonly actions: ActionRequest[] = [];
  /** Whether actions succeed, or the user cancels them. */
  isDone: boolean | Promise<boolean> = true;
  /** Delays the screens that the page requests. */
  frameGate: Promise<void> | undefined;
  readonly askedFiles: MomentPosition[] = [];
  readonly openedSessions: OpenedSession[] = [];
  readonly copiedTexts: string[] = [];
  /** Stops answering, as after a crash of the extension host. */
  isSilent = false;

  private constructor(page: Page, transport: Transport, options: StandaloneOptions) {
    super(page, page);
    this.#discarded = new Set(options.discarded);
    this.#session = {
      sessionId: 'this',
      name: 'A session',
      isRunning: false,
      stateText: 'finished',
      origin: null,
      ...options.session,
    };
    this.#thread = new TimelineThread(
      (name, body) => {
        if (name !== 'transcript') this.#tell(name, body as DataEvents[keyof DataEvents]);
      },
      path.join(dist, 'timelineWorker.cjs'),
    );
    const { branches = [], instruction = null } = options;
    this.#channel = new Channel(
      transport,
      {
        hello: () => {
          setImmediate(() => this.#latest.forEach((body, name) => this.#notify(name, body)));
          const font = { family: 'monospace', size: 12 };
          const protocolVersion = WEBVIEW_PROTOCOL_VERSION;
          const facts = { protocolVersion, session: this.#session, font, minimumContrast: 1 };
          return Promise.resolve({
            body: { ...facts, branches, actions: MOMENT_ACTIONS, reveal: null, instruction },
          });
        },
        ping: () => (this.isSilent ? new Promise(() => {}) : Promise.resolve({ body: {} })),
        frame: async (params) => {
          await this.frameGate;
          return this.#thread.request('frame', params as never);
        },
        range: (params) => this.#thread.request('range', params as never),
        activity: (params) => this.#thread.request('activity', params as never),
        search: (params) => this.#thread.request('search', params as never),
        runAction: async (params) => {
          this.actions.push(params as ActionRequest);
          return { body: { isDone: await this.isDone } };
        },
        files: (params) => {
          this.askedFiles.push(params as MomentPosition);
          return Promise.resolve({ body: { files: options.files ?? [] } });
        },
        copyText: (params) => {
          this.copiedTexts.push((params as { readonly text: string }).text);
          return Promise.resolve({ body: {} });
        },
        openSession: (params) => {
          this.openedSessions.push(params as OpenedSession);
          return Promise.resolve({ body: {} });
        },
      },
      {},
    );
  }

  static async open(
    browser: Browser,
    recording: string,
    options: StandaloneOptions = {},
  ): Promise<StandaloneTimeline> {
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1280, height: 800 },
      reducedMotion: options.isMotionReduced ? 'reduce' : 'no-preference',
    });
    const page = await context.newPage();
    const transport = new PageTransport(page);
    const { language = 'en' } = options;
    await transport.connect(documentOf(recording, language), options.missing);
    const timeline = new StandaloneTimeline(page, transport, options);
    await timeline.#openRecording(recording, language);
    await page.goto(ADDRESS);
    if (!options.missing && !timeline.#latest.has('trouble')) await timeline.placed();
    return timeline;
  }

  /** Goes to a position, as for a link or a result of the search in all sessions. */
  reveal(target: SeekTarget): void {
    this.#channel.notify('reveal', { target });
  }

  /** Runs an entry of the context menu, as its command does. */
  runMenu(request: MenuRequest): void {
    this.#channel.notify('menu', request);
  }

  /** Sends the session again, as when it ends. */
  setSession(session: Partial<SessionHeader>): void {
    Object.assign(this.#session, session);
    this.#channel.notify('session', this.#session);
  }

  /** Says why the recording can't be read. */
  setTrouble(trouble: DataEvents['trouble']): void {
    this.#tell('trouble', trouble);
  }

  /** What the page saved for a reload. */
  async savedState(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await this.page.evaluate(`sessionStorage.getItem('state')`)) as never;
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.placed();
  }

  async close(): Promise<void> {
    await this.page.context().close();
    await this.#thread.end();
  }

  async #openRecording(recording: string, language: string): Promise<void> {
    try {
      this.#latest.set('extent', await this.#thread.open(recording, textsOf(language)));
    } catch (error) {
      // As the extension does.
      this.#latest.set('trouble', { message: messageOf(error) });
    }
  }

  #tell<K extends keyof DataEvents>(name: K, sent: DataEvents[K]): void {
    const body =
      'moments' in sent ? { moments: withDiscarded(sent.moments, this.#discarded) } : sent;
    if (name === 'extent' || name === 'moments' || name === 'trouble') this.#latest.set(name, body);
    this.#notify(name, body);
  }

  #notify(name: keyof DataEvents, body: unknown): void {
    this.#channel.notify(name, body as never);
  }
}

/** A transport to a page outside VS Code. */
class PageTransport implements Transport {
  readonly #page: Page;
  readonly #messages = new Emitter<{ json: unknown; binary: Uint8Array | undefined }>();
  readonly #closes = new Emitter<void>();
  readonly onMessage = this.#messages.event;
  readonly onClose = this.#closes.event;

  constructor(page: Page) {
    this.#page = page;
  }

  async connect(document: string, missing: readonly string[] = []): Promise<void> {
    await this.#page.exposeFunction('sendToEditor', (json: unknown) =>
      this.#messages.fire({ json, binary: undefined }),
    );
    await this.#page.addInitScript(EDITOR);
    await this.#page.route(`${ADDRESS}**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === '') {
        return route.fulfill({ contentType: 'text/html', body: document });
      }
      if (missing.includes(name)) return route.fulfill({ status: 404 });
      return route.fulfill({
        contentType: name.endsWith('.css') ? 'text/css' : 'text/javascript',
        body: readFileSync(path.join(dist, 'webview', name)),
      });
    });
  }

  send(json: unknown, binary?: Uint8Array): void {
    const message = [json, binary && Buffer.from(binary).toString('base64')];
    // A loading page misses messages; it requests them again.
    void this.#page.evaluate(RECEIVE(JSON.stringify(message))).catch(() => undefined);
  }

  dispose(): void {
    this.#messages.dispose();
    this.#closes.dispose();
  }
}

function textsOf(language: string): Record<string, string> {
  if (language === 'en') return {};
  const file = path.resolve(import.meta.dirname, `../../../../l10n/bundle.l10n.${language}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** The extension's HTML. */
function documentOf(recording: string, language: string): string {
  const html = pageDocument({
    title: 'Timeline',
    recording,
    language,
    texts: textsOf(language),
    nonce: '1',
    source: ADDRESS,
    script: 'timeline.js',
    styleSheet: 'timeline.css',
    failure: { text: 'Can’t load the timeline.', reload: 'Reload' },
  });
  // As VS Code does.
  return html
    .replace('<html ', '<html style="--vscode-focusBorder: #0078d4" ')
    .replace('<body ', '<body class="vscode-dark" ');
}

/** Runs before the page's script: VS Code's webview API. */
const EDITOR = `
  globalThis.acquireVsCodeApi = () => ({
    postMessage: ({ json }) => void globalThis.sendToEditor(json),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null'),
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;

const RECEIVE = (message: string) => `{
  const [json, base64] = ${message};
  const binary = base64 && Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)).buffer;
  dispatchEvent(new MessageEvent('message', { data: { json, binary } }));
}`;
