import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel } from '../../rpc/channel.ts';
import type {
  ThreadEvents,
  TimelineThreadClientProtocol,
  TimelineThreadProtocol,
} from '../../timeline/common/webviewProtocol.ts';

/** A recording that is not there yet, or no longer, is looked for again. */
const RETRY_MS = 300;

/** What the thread tells, by name. */
export type ThreadEvent = {
  [K in keyof ThreadEvents]: { name: K; body: ThreadEvents[K] };
}[keyof ThreadEvents];

/** The last of these says all there is to say. */
const LASTING: ReadonlySet<keyof ThreadEvents> = new Set(['extent', 'moments', 'trouble']);

/** One recording, read by a thread of its own for as long as somebody looks at it. Nothing of it is worked on in this one. */
export class TimelineDocument implements Disposable {
  readonly file: string;
  readonly #resources = new DisposableStore();
  readonly #events = this.#resources.add(new Emitter<ThreadEvent>());
  readonly #worker: Worker;
  readonly #channel: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>;
  readonly #latest = new Map<keyof ThreadEvents, ThreadEvent>();
  #retry: NodeJS.Timeout | undefined;

  readonly onDidTell = this.#events.event;

  /** @param workerFile the bundle of `timelineWorker.ts` */
  constructor(workerFile: string, file: string) {
    this.file = file;
    this.#worker = new Worker(workerFile);
    const transport = new ThreadTransport(this.#worker);
    this.#channel = new Channel(
      transport,
      {},
      {
        extent: (body) => this.#tell('extent', body as ThreadEvents['extent']),
        moments: (body) => this.#tell('moments', body as ThreadEvents['moments']),
        hits: (body) => this.#tell('hits', body as ThreadEvents['hits']),
        trouble: (body) => this.#tell('trouble', body as ThreadEvents['trouble']),
        replaced: (body) => this.#tell('replaced', body as ThreadEvents['replaced']),
        transcript: (body) => this.#tell('transcript', body as ThreadEvents['transcript']),
      },
    );
    const fail = (message: string) => {
      transport.close();
      this.#tell('trouble', { message });
    };
    this.#worker.on('error', (error: Error) =>
      fail(vscode.l10n.t('The recording cannot be shown: {0}', error.message)),
    );
    void this.#open();
  }

  /** What a page that comes later has to be told. */
  get latest(): Iterable<ThreadEvent> {
    return this.#latest.values();
  }

  request: Channel<TimelineThreadClientProtocol, TimelineThreadProtocol>['request'] = (
    name,
    params,
  ) => this.#channel.request(name, params);

  dispose(): void {
    clearTimeout(this.#retry);
    this.#resources.dispose();
    this.#channel.dispose();
    void this.#worker.terminate();
  }

  async #open(): Promise<void> {
    // In English there are none: the thread's own words are English.
    const words = vscode.l10n.bundle ?? {};
    try {
      const { body } = await this.#channel.request('open', { file: this.file, words });
      this.#tell('trouble', { message: null });
      this.#tell('extent', body);
    } catch (error) {
      if (this.#resources.isDisposed) return;
      this.#tell('trouble', { message: messageOf(error) });
      // What is no recording does not become one.
      if (error instanceof UserError && error.code === 'not-a-recording') return;
      this.#retry = setTimeout(() => void this.#open(), RETRY_MS);
    }
  }

  #tell<K extends keyof ThreadEvents>(name: K, body: ThreadEvents[K]): void {
    const event = { name, body } as ThreadEvent;
    if (LASTING.has(name)) this.#latest.set(name, event);
    this.#events.fire(event);
  }
}
