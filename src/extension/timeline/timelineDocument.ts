import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel, type Payload } from '../../rpc/channel.ts';
import type {
  DataRequests,
  ThreadEvents,
  TimelineThreadClientProtocol,
  TimelineThreadProtocol,
} from '../../timeline/common/protocol/timelineProtocol.ts';

/** Delay before another try to open a recording. */
const RETRY_MS = 300;

/** An event of the thread that reads the recording, with its name. */
export type ThreadEvent = {
  [K in keyof ThreadEvents]: { name: K; body: ThreadEvents[K] };
}[keyof ThreadEvents];

/** Events that describe a state: only the latest one of each name matters. */
const STATE_EVENTS: ReadonlySet<keyof ThreadEvents> = new Set(['extent', 'moments', 'trouble']);

/** A recording that is open in an editor. Its own thread reads it. */
export class TimelineDocument implements Disposable {
  readonly file: string;
  readonly #resources = new DisposableStore();
  readonly #events = this.#resources.add(new Emitter<ThreadEvent>());
  readonly #channel: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>;
  readonly #latest = new Map<keyof ThreadEvents, ThreadEvent>();
  #retry: NodeJS.Timeout | undefined;

  readonly onEvent = this.#events.event;

  /** @param workerFile script of the thread, built from `timelineWorker.ts` */
  constructor(workerFile: string, file: string) {
    this.file = file;
    const transport = new ThreadTransport(new Worker(workerFile));
    this.#channel = new Channel(
      transport,
      {},
      {
        extent: (body) => this.#fire('extent', body as ThreadEvents['extent']),
        moments: (body) => this.#fire('moments', body as ThreadEvents['moments']),
        hits: (body) => this.#fire('hits', body as ThreadEvents['hits']),
        trouble: (body) => this.#fire('trouble', body as ThreadEvents['trouble']),
        replaced: (body) => this.#fire('replaced', body as ThreadEvents['replaced']),
        transcript: (body) => this.#fire('transcript', body as ThreadEvents['transcript']),
      },
    );
    transport.onClose(({ message }) =>
      this.#fire('trouble', {
        message: vscode.l10n.t('Can’t show the recording: {0}', message),
        needsReload: true,
      }),
    );
    void this.#open();
  }

  /** The latest events, for a page that connects later. */
  get latest(): Iterable<ThreadEvent> {
    return this.#latest.values();
  }

  request: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>['request'] = (
    name,
    params,
  ) => this.#channel.request(name, params);

  /** Passes a request of the page unchanged to the thread, which checks its parameters. */
  forward<K extends keyof DataRequests>(
    name: K,
    params: unknown,
  ): Promise<Payload<DataRequests[K]['result']>> {
    return this.#channel.request(name, params as DataRequests[K]['params']);
  }

  dispose(): void {
    clearTimeout(this.#retry);
    this.#resources.dispose();
    this.#channel.dispose();
  }

  async #open(): Promise<void> {
    // VS Code has no bundle for English, because the texts in the source are English.
    const texts = vscode.l10n.bundle ?? {};
    try {
      const { body } = await this.#channel.request('open', { file: this.file, texts });
      this.#fire('trouble', { message: null });
      this.#fire('extent', body);
    } catch (error) {
      if (this.#resources.isDisposed) return;
      this.#fire('trouble', { message: messageOf(error) });
      // Don't try again: a file of another kind does not become a recording.
      if (error instanceof UserError && error.code === 'not-a-recording') return;
      this.#retry = setTimeout(() => void this.#open(), RETRY_MS);
    }
  }

  #fire<K extends keyof ThreadEvents>(name: K, body: ThreadEvents[K]): void {
    const event = { name, body } as ThreadEvent;
    if (STATE_EVENTS.has(name)) this.#latest.set(name, event);
    this.#events.fire(event);
  }
}
