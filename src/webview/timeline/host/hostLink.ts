import { decodeRange, decodeState } from '../../../timeline/common/playbackWire.ts';
import type {
  Place,
  PlaybackSource,
  PlayRange,
  SeekTarget,
  ShownState,
} from '../../../timeline/common/playback.ts';
import { Channel } from '../../../rpc/channel.ts';
import {
  asObject,
  parseFrameParams,
  WEBVIEW_PROTOCOL_VERSION,
  type ActionParams,
  type BranchBody,
  type FrameParams,
  type HelloBody,
  type HitsBody,
  type MomentAction,
  type SearchParams,
  type SessionBody,
  type TimelineHostProtocol,
  type TimelinePageProtocol,
} from '../../../timeline/common/webviewProtocol.ts';
import type { VsCodeApi } from '../../vscodeApi.ts';
import { PageTransport } from './pageTransport.ts';
import {
  parseActions,
  parseBranches,
  parseExtent,
  parseHello,
  parseHits,
  parseMoments,
  parseSession,
  type PageExtent,
  type PageMoment,
} from './parseEvents.ts';

export interface HostListener {
  readonly onExtent: (extent: PageExtent) => void;
  readonly onMoments: (moments: readonly PageMoment[]) => void;
  readonly onHits: (hits: HitsBody) => void;
  readonly onTrouble: (message: string | null) => void;
  readonly onReplaced: () => void;
  readonly onSession: (session: SessionBody) => void;
  readonly onActions: (actions: readonly MomentAction[]) => void;
  readonly onBranches: (branches: readonly BranchBody[]) => void;
  readonly onReveal: (target: FrameParams) => void;
}

/** What the page knows of the world: the recording and the editor, behind messages that are checked both ways. */
export class HostLink implements PlaybackSource {
  readonly #channel: Channel<TimelinePageProtocol, TimelineHostProtocol>;
  #end: Promise<ShownState | undefined> | undefined;

  constructor(api: VsCodeApi, listener: HostListener) {
    this.#channel = new Channel(
      new PageTransport(api),
      {},
      {
        extent: (body) => listener.onExtent(parseExtent(body)),
        moments: (body) => listener.onMoments(parseMoments(body)),
        hits: (body) => listener.onHits(parseHits(body)),
        trouble: (body) => {
          const { message } = asObject(body);
          listener.onTrouble(typeof message === 'string' ? message : null);
        },
        replaced: () => {
          this.#end = undefined;
          listener.onReplaced();
        },
        session: (body) => listener.onSession(parseSession(body)),
        actions: (body) => listener.onActions(parseActions(asObject(body)['actions'])),
        branches: (body) => listener.onBranches(parseBranches(asObject(body)['branches'])),
        reveal: (body) => listener.onReveal(parseFrameParams(asObject(body)['target'])),
      },
    );
  }

  async hello(): Promise<HelloBody> {
    const protocolVersion = WEBVIEW_PROTOCOL_VERSION;
    return parseHello((await this.#channel.request('hello', { protocolVersion })).body);
  }

  /** Asks for the last screen before anybody wants to see it: whoever is the first to ask for a screen may get this one. */
  askForEnd(): void {
    // What cannot be had now is asked for again.
    this.#end = this.#frame({ end: true }).catch(() => undefined);
  }

  async frame(target: SeekTarget): Promise<ShownState> {
    const end = 'end' in target ? this.#end : undefined;
    this.#end = undefined;
    return (await end) ?? this.#frame(target);
  }

  async #frame(target: SeekTarget): Promise<ShownState> {
    const { body, binary } = await this.#channel.request('frame', target);
    return decodeState(body, binary);
  }

  async range(after: Place): Promise<PlayRange> {
    const { body, binary } = await this.#channel.request('range', after);
    return decodeRange(body, binary);
  }

  async activity(edges: readonly number[]): Promise<number[]> {
    const { counts } = asObject((await this.#channel.request('activity', { edges })).body);
    return Array.isArray(counts) ? counts.map(Number) : [];
  }

  async search(params: SearchParams): Promise<void> {
    await this.#channel.request('search', params);
  }

  async runAction(params: ActionParams): Promise<void> {
    await this.#channel.request('runAction', params);
  }

  async openSession(sessionId: string): Promise<void> {
    await this.#channel.request('openSession', { sessionId });
  }
}
