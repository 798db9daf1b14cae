import {
  decodeChunk,
  decodeState,
  parseSeekTarget,
} from '../../../timeline/common/protocol/playbackCodec.ts';
import type {
  Place,
  PlaybackSource,
  PlaybackChunk,
  SeekTarget,
  ScreenState,
} from '../../../timeline/common/playback/playback.ts';
import { Channel } from '../../../rpc/channel.ts';
import { asObject } from '../../../timeline/common/protocol/checkedFields.ts';
import {
  WEBVIEW_PROTOCOL_VERSION,
  type ActionRequest,
  type BranchLane,
  type Hello,
  type MenuRequest,
  type MomentAction,
  type MomentPosition,
  type SessionHeader,
  type TimelineHostProtocol,
  type TimelinePageProtocol,
  type Extent,
} from '../../../timeline/common/protocol/timelineProtocol.ts';
import type { SearchHits, SearchRequest } from '../../../timeline/common/search/searchHits.ts';
import type { VsCodeApi } from '../../vscodeApi.ts';
import { PageTransport } from '../../pageTransport.ts';
import {
  parseActions,
  parseBranches,
  parseExtent,
  parseHello,
  parseHits,
  parseMenu,
  parseMoments,
  parseSession,
} from './parseEvents.ts';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

export interface HostListener {
  readonly onExtent: (extent: Extent) => void;
  readonly onMoments: (moments: readonly PageMoment[]) => void;
  readonly onHits: (hits: SearchHits) => void;
  readonly onTrouble: (message: string | null, needsReload: boolean) => void;
  readonly onReplaced: () => void;
  readonly onSession: (session: SessionHeader) => void;
  readonly onActions: (actions: readonly MomentAction[]) => void;
  readonly onBranches: (branches: readonly BranchLane[]) => void;
  readonly onReveal: (target: SeekTarget) => void;
  readonly onMenu: (request: MenuRequest) => void;
}

/** The page's connection to the extension. Checks everything that it receives. */
export class HostLink implements PlaybackSource {
  readonly #channel: Channel<TimelinePageProtocol, TimelineHostProtocol>;
  #end: Promise<ScreenState | undefined> | undefined;

  constructor(api: VsCodeApi, listener: HostListener) {
    this.#channel = new Channel(
      new PageTransport(api),
      {},
      {
        extent: (body) => listener.onExtent(parseExtent(body)),
        moments: (body) => listener.onMoments(parseMoments(body)),
        hits: (body) => listener.onHits(parseHits(body)),
        trouble: (body) => {
          const { message, needsReload } = asObject(body);
          listener.onTrouble(typeof message === 'string' ? message : null, needsReload === true);
        },
        replaced: () => {
          this.#end = undefined;
          listener.onReplaced();
        },
        session: (body) => listener.onSession(parseSession(body)),
        actions: (body) => listener.onActions(parseActions(asObject(body)['actions'])),
        branches: (body) => listener.onBranches(parseBranches(asObject(body)['branches'])),
        menu: (body) => listener.onMenu(parseMenu(body)),
        reveal: (body) => listener.onReveal(parseSeekTarget(asObject(body)['target'])),
      },
    );
  }

  async hello(): Promise<Hello> {
    const protocolVersion = WEBVIEW_PROTOCOL_VERSION;
    return parseHello((await this.#channel.request('hello', { protocolVersion })).body);
  }

  /** Settles when the extension has answered. */
  async ping(): Promise<void> {
    await this.#channel.request('ping', {});
  }

  /** Requests the last screen ahead of time, for the first `frame` call. */
  prefetchEnd(): void {
    // `frame` requests it again if this fails.
    this.#end = this.#frame({ end: true }).catch(() => undefined);
  }

  async frame(target: SeekTarget): Promise<ScreenState> {
    const end = 'end' in target ? this.#end : undefined;
    this.#end = undefined;
    return (await end) ?? this.#frame(target);
  }

  async #frame(target: SeekTarget): Promise<ScreenState> {
    const { body, binary } = await this.#channel.request('frame', target);
    return decodeState(body, binary);
  }

  async range(after: Place): Promise<PlaybackChunk> {
    const { body, binary } = await this.#channel.request('range', after);
    return decodeChunk(body, binary);
  }

  async activity(edges: readonly number[]): Promise<number[]> {
    const { counts } = asObject((await this.#channel.request('activity', { edges })).body);
    return Array.isArray(counts) ? counts.map(Number) : [];
  }

  async search(params: SearchRequest): Promise<void> {
    await this.#channel.request('search', params);
  }

  /** @returns whether the action was done; false if the user cancelled it */
  async runAction(params: ActionRequest): Promise<boolean> {
    return asObject((await this.#channel.request('runAction', params)).body)['isDone'] === true;
  }

  async files(params: MomentPosition): Promise<string[]> {
    const { files } = asObject((await this.#channel.request('files', params)).body);
    return Array.isArray(files) ? files.map(String) : [];
  }

  async copyText(text: string): Promise<void> {
    await this.#channel.request('copyText', { text });
  }

  /** @param byteOffset null opens the timeline at its last position, or at its end */
  async openSession(sessionId: string, byteOffset: number | null): Promise<void> {
    await this.#channel.request('openSession', { sessionId, byteOffset });
  }
}
