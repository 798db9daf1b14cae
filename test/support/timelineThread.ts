import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TextBundle } from '../../src/base/textBundle.ts';
import { ThreadTransport } from '../../src/platform/node/transports/threadTransport.ts';
import { decodeState } from '../../src/timeline/common/protocol/playbackCodec.ts';
import type { ScreenState, SeekTarget } from '../../src/timeline/common/playback/playback.ts';
import { Channel } from '../../src/rpc/channel.ts';
import type {
  Extent,
  ThreadEvents,
  TimelineThreadClientProtocol,
  TimelineThreadProtocol,
} from '../../src/timeline/common/protocol/timelineProtocol.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../src/timeline/node/timelineWorker.ts');

type Tell = <K extends keyof ThreadEvents>(name: K, body: ThreadEvents[K]) => void;

/** The thread of a timeline, used as by the extension. */
export class TimelineThread {
  readonly #worker: Worker;
  readonly #channel: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>;
  /** The latest extent. */
  extent: Extent | undefined;

  /** @param script the thread's script, its source by default; the built one starts faster */
  constructor(tell: Tell = () => {}, script = SOURCE) {
    this.#worker = new Worker(script);
    this.#channel = new Channel(
      new ThreadTransport(this.#worker),
      {},
      {
        extent: (body) => {
          this.extent = body as Extent;
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

  async open(file: string, texts: TextBundle = {}): Promise<Extent> {
    this.extent = (await this.request('open', { file, texts })).body;
    return this.extent;
  }

  async seek(target: SeekTarget): Promise<ScreenState> {
    const { body, binary } = await this.request('frame', target);
    return decodeState(body, binary);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
