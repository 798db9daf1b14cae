import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Words } from '../../src/base/words.ts';
import { ThreadTransport } from '../../src/platform/node/transports/threadTransport.ts';
import { decodeState } from '../../src/timeline/common/playbackWire.ts';
import type { ShownState } from '../../src/timeline/common/playback.ts';
import { Channel } from '../../src/rpc/channel.ts';
import type {
  ExtentBody,
  FrameParams,
  ThreadEvents,
  TimelineThreadClientProtocol,
  TimelineThreadProtocol,
} from '../../src/timeline/common/webviewProtocol.ts';

const WORKER = path.resolve(import.meta.dirname, '../../src/timeline/node/timelineWorker.ts');

type Tell = <K extends keyof ThreadEvents>(name: K, body: ThreadEvents[K]) => void;

/** The thread that reads a recording for a timeline, asked as the extension asks it. */
export class TimelineThread {
  readonly #worker = new Worker(WORKER);
  readonly #channel: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>;
  /** What it told last. */
  extent: ExtentBody | undefined;

  constructor(tell: Tell = () => {}) {
    this.#channel = new Channel(
      new ThreadTransport(this.#worker),
      {},
      {
        extent: (body) => {
          this.extent = body as ExtentBody;
          tell('extent', this.extent);
        },
        moments: (body) => tell('moments', body as ThreadEvents['moments']),
        hits: (body) => tell('hits', body as ThreadEvents['hits']),
        trouble: (body) => tell('trouble', body as ThreadEvents['trouble']),
        replaced: (body) => tell('replaced', body as ThreadEvents['replaced']),
        transcript: (body) => tell('transcript', body as ThreadEvents['transcript']),
      },
    );
  }

  request: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>['request'] = (
    name,
    params,
  ) => this.#channel.request(name, params);

  async open(file: string, words: Words = {}): Promise<ExtentBody> {
    this.extent = (await this.request('open', { file, words })).body;
    return this.extent;
  }

  async seek(target: FrameParams): Promise<ShownState> {
    const { body, binary } = await this.request('frame', target);
    return decodeState(body, binary);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
